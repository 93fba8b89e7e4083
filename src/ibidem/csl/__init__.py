"""A compact renderer of the bibliographies of CSL styles: its text knows the field and the font of each part.

It covers what layouts of bibliographies use (text, number, names, date, label, group, choose; macros, locales, cases,
affixes, italics and the like) and leaves out what only citations need: sorting, positions, locators, disambiguation
beyond a letter. `markers` reads the labels out of what was rendered, `markup` the fonts.
"""

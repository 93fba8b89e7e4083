"""A compact renderer of the bibliographies of CSL styles, which keeps a label with every field it writes.

It covers what layouts of bibliographies use (text, number, names, date, label, group, choose; macros, locales, cases,
affixes) and leaves out what only citations need: sorting, positions, locators, disambiguation beyond a letter.
"""

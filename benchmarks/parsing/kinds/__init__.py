"""References of every kind, language, script and style, written for this benchmark, each with its record.

Every work is invented, and so is every string: nothing was copied, and no set that a model is trained on has them. A
file has the references of one kind, those of `development/` to work with and those of `untouched/` for a last
measurement only. A cell is a kind in a language and a style; each has as many references in one half as in the other.
So that nobody sees the results of the untouched half by accident, the benchmark scores it only where the environment
has `IBIDEM_BENCH_UNTOUCHED=1`.

A reference has its text, its language as a tag of BCP 47 (which tells its script), its style, and its record:

- `type` is a type of CSL, or a list where several are right. A type that Ibidem does not have counts as the more
  general one that it has; where a reference does not say its type, none is asked.
- All other keys are fields of records, with a value or a list of values. `a|b` is right as either field; with `|-` the
  value may be missing too. A field that the table of fields lacks is not asked.
- Values are texts of the string, upper case as it stands, with few exceptions: identifiers and URLs in their normal
  form, dates in EDTF (with the letter of 2019a, or a status such as "in press"), ranges of pages written out, numbers
  of editions in digits.
- A name is `Family, Given`, or `particle / Family, Given, Suffix`, initials with full stops; that of a group is in
  braces.
"""

"""Semi-CRFs of any order: the unit is the field, and fields follow each other in patterns (Cuong and others 2015)."""

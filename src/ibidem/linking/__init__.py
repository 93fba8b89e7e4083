"""Which references mean the same work: raw references or records in, works out.

`views.py` is what is looked at in a reference; `blocking.py` proposes pairs; `similarity.py` and `features.py` compare
them; `model.py` says how likely each is; `partition.py` divides the references; `canonical.py` gives each work a
record; `linking.py` is all of it in order.
"""

from __future__ import annotations

from ibidem.linking.linking import Linked, Member, Work, Works, link_records, works_of

__all__ = ["Linked", "Member", "Work", "Works", "link_records", "works_of"]

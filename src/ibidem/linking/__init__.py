"""Linking (deduplication, citation matching): references in, works with their citations out.

`comparison` extracts the fields that are compared; `blocking` proposes pairs; `similarity` compares them; `matcher`
scores them; `clustering` partitions the references; `canonical` builds the record of each work; `works` puts the steps
together; `joint` adds n-best labellings; `store` keeps it all in a database.
"""

from __future__ import annotations

from ibidem.linking.works import Linked, Member, Work, Works, link_records, works_of

__all__ = ["Linked", "Member", "Work", "Works", "link_records", "works_of"]

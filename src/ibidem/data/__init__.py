"""Labelled data: the catalogue of public datasets, readers, writers, splits, decontamination, augmentation.

`ibidem.data.catalogue` lists the datasets; `register` adds one of your own.
"""

from ibidem.data.registry import DataFile, Dataset, SplitRule, register, unregister

__all__ = ["DataFile", "Dataset", "SplitRule", "register", "unregister"]

"""Locks that a fork waits for, so that no child inherits one that a thread of its parent holds."""

from __future__ import annotations

import os
from threading import RLock
from typing import Any
from weakref import WeakSet

_locks: WeakSet[Any] = WeakSet()
_forking = RLock()
_held: list[Any] = []


def make_lock() -> Any:
    """Return a reentrant lock; a fork takes it first, so what it protects is in order in the child too."""
    lock = RLock()
    _locks.add(lock)
    return lock


def _hold() -> None:
    _forking.acquire()
    for lock in list(_locks):
        lock.acquire()
        _held.append(lock)


def _release() -> None:
    while _held:
        _held.pop().release()
    _forking.release()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_release)

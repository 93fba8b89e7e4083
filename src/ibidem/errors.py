"""Everything Ibidem refuses to do, as one family of exceptions.

Each message says what was given, what was expected and what to do. The library never prints; the command line turns an
`IbidemError` into one line and exit code 2.
"""


class IbidemError(Exception):
    """The parent of every error Ibidem raises on purpose."""


class InputError(IbidemError):
    """A reference string, a file or a line of one cannot be read."""


class DataError(IbidemError):
    """A dataset is missing, incomplete or not in its format."""


class ModelError(IbidemError):
    """A model file is missing, truncated, foreign or from a newer version."""


class ConfigError(IbidemError):
    """A recipe or an option has an unknown key or a value out of range."""


class MissingExtra(IbidemError):
    """An optional dependency is needed and not installed."""

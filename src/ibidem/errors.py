"""The exceptions that Ibidem raises on purpose.

Each message says what was given, what was expected and what to do. The library never prints; the command line turns an
`IbidemError` into one line and exit status 2.
"""


class IbidemError(Exception):
    """The parent of every error that Ibidem raises on purpose."""


class InputError(IbidemError):
    """An argument, a file or a line of one cannot be read."""


class DataError(IbidemError):
    """A dataset is missing, incomplete or not in its format."""


class ModelError(IbidemError):
    """A model file is missing, truncated, not one of Ibidem's, or from a newer version."""


class ConfigError(IbidemError):
    """A recipe or an option has an unknown key or a value out of range."""


class MissingExtra(IbidemError):
    """An optional dependency is needed and not installed."""

"""The exceptions that Ibidem raises on purpose.

Each message says what was given, what was expected and what to do. The library never prints; the command line turns an
`IbidemError` into one line and exit status 2.
"""

_LONGEST = 1000  # characters of a message that are shown: what it quotes may be a whole file


class IbidemError(Exception):
    """The parent of every error that Ibidem raises on purpose.

    >>> len(str(IbidemError("the macro " + 5000 * "a" + " is not defined")))
    1000
    """

    def __str__(self) -> str:
        """Return the message; of a very long one the beginning, and the end, which says what to do."""
        message = super().__str__()
        if len(message) <= _LONGEST:
            return message
        kept = _LONGEST - 3
        return f"{message[: kept // 2]} … {message[kept // 2 - kept :]}"


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

"""Text that is written piece by piece, with a mark for every piece that has a label."""

from __future__ import annotations

from ibidem.types import Annotation


class Draft:
    """Gathers the text and the marks of a header."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self.annotations: list[Annotation] = []

    def add(self, text: str, label: str = "") -> Annotation | None:
        """The mark of the piece just written, None where it has no label; blanks at its ends are left outside."""
        start = self._length + len(text) - len(text.lstrip())
        self._pieces.append(text)
        self._length += len(text)
        end = self._length - (len(text) - len(text.rstrip()))
        if not label or start >= end:
            return None
        self.annotations.append(Annotation(label, start, end))
        return self.annotations[-1]

    def text(self, width: int = 0) -> str:
        """All that was written; with a `width`, blanks are made line breaks where a line would be longer."""
        whole = "".join(self._pieces).rstrip()
        if not width:
            return whole
        letters, begin, blank = list(whole), 0, -1
        for place, letter in enumerate(whole):
            if letter == "\n":
                begin, blank = place + 1, -1
            elif letter == " ":
                blank = place
            if place - begin >= width and blank > begin:
                letters[blank] = "\n"
                begin, blank = blank + 1, -1
        return "".join(letters)

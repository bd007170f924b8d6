"""Texts of other programs' files: read within a limit of memory, with messages that name the place.

No length that a file states is trusted. What a file needs is counted before it is made.
"""

import gzip
import io
import os
import re
import zlib

import sightline

#: What an importer takes at most, in bytes, unless its caller says otherwise.
MAX_MEMORY = 2_000_000_000

_PIECE = 1 << 20
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LONGEST_NUMBER = 64


class Text:
    """The bytes of a file, what messages call it, and how much memory its import may still take.

    ``source`` is a path, the content as bytes, or the content as a str of more than one line. A
    content that begins as gzip does is unpacked. Raises FileError for a file that cannot be read,
    BadInputError for damaged gzip data, OutOfMemoryError for a text above a quarter of
    ``max_memory``.
    """

    def __init__(self, source, max_memory: int):
        self.max_memory, self._taken = max_memory, 0
        is_text = isinstance(source, str) and ("\n" in source or not source)
        if is_text or isinstance(source, (bytes, bytearray, memoryview)):
            self.name = "the text"
            content = source.encode("utf-8", "surrogateescape") if is_text else bytes(source)
            self.data = self._read(io.BufferedReader(io.BytesIO(content)))
            return
        path = os.fspath(source)
        self.name = os.fsdecode(path)
        try:
            with open(path, "rb") as file:
                self.data = self._read(file)
        except (OSError, ValueError) as error:
            if isinstance(error, sightline.Error):
                raise
            reason = getattr(error, "strerror", None) or error
            raise sightline.FileError(f"{self.name}: cannot be read: {reason}") from error

    def _read(self, file) -> bytes:
        if file.peek(2)[:2] == b"\x1f\x8b":
            file = gzip.GzipFile(fileobj=file)
        pieces, size, most = [], 0, self.max_memory // 4
        try:
            while piece := file.read(_PIECE):
                pieces.append(piece)
                size += len(piece)
                if size > most:
                    raise sightline.OutOfMemoryError(
                        f"{self.name}: its text has more than {most:,} bytes, a quarter of "
                        f"max_memory={self.max_memory:,}"
                    )
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise sightline.BadInputError(
                f"{self.name}: its gzip data is damaged: {error}"
            ) from error
        self.take(2 * size, "its text")
        return b"".join(pieces)

    def take(self, amount: int, words: str) -> None:
        """Counts memory before it is taken; OutOfMemoryError where it passes the limit."""
        self._taken += amount
        if self._taken > self.max_memory:
            raise sightline.OutOfMemoryError(
                f"{self.name}: with {words} the import takes about {self._taken:,} bytes, "
                f"more than max_memory={self.max_memory:,}"
            )

    @property
    def left(self) -> int:
        """The bytes that may still be taken."""
        return self.max_memory - self._taken

    def lines(self):
        """Number, counted from 1, and bytes of each line, with its end."""
        return enumerate(io.BytesIO(self.data), 1)

    def first_words(self) -> bytes:
        """The beginning of the first line that is neither empty nor a comment."""
        lines = (line[:80].strip() for _, line in self.lines())
        return next((line for line in lines if line and not line.startswith(b"#")), b"")

    def refuse(self, words: str):
        """Raises BadInputError of these words behind the file's name."""
        raise sightline.BadInputError(f"{self.name}: {words}")


def quoted(text, most: int = 24) -> str:
    """A part of a file as messages show it: short, and without what a terminal might obey."""
    part = text[:most].decode("latin-1") if isinstance(text, bytes) else text[:most]
    shown = "".join(c if " " <= c <= "~" else "?" for c in part)
    return f"'{shown}...'" if len(text) > most else f"'{shown}'"


def finite(text: str) -> float | None:
    """The whole text as a finite number, or None."""
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) != float("inf") else None


def whole(text, most: int) -> int | None:
    """The whole text as an integer of 0 to ``most``, or None."""
    if len(text) > 20 or not text.isdigit() or not text.isascii():
        return None
    value = int(text)
    return value if value <= most else None

"""The exceptions: what went wrong, in one sentence each."""


class Error(Exception):
    """Every error of sightline. An error of this class itself is a defect of sightline."""


class UsageError(Error, ValueError):
    """Arguments that do not fit each other, or an option out of its range. Also a ValueError."""


class BadInputError(Error, ValueError):
    """A shape, ray or file that is refused. The message says where and why. Also a ValueError."""


class DeviceError(Error, RuntimeError):
    """There is no usable device, or it failed. Also a RuntimeError."""


class OutOfMemoryError(Error, MemoryError):
    """Not enough memory. The message says for what. Also a MemoryError."""


class FileError(Error, OSError):
    """A file that cannot be read or written. Also an OSError."""

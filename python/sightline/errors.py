"""The exceptions: what went wrong, in one sentence each."""


class Error(Exception):
    """Every error of sightline; of this class itself, a defect of ours."""


class UsageError(Error, ValueError):
    """Arguments that make no sense together."""


class BadInputError(Error, ValueError):
    """A shape, ray or file that is refused; the message names index and reason."""


class DeviceError(Error, RuntimeError):
    """There is no usable device, or it failed."""


class OutOfMemoryError(Error, MemoryError):
    """Not enough memory; the message says for what."""


class FileError(Error, OSError):
    """Reading or writing failed."""

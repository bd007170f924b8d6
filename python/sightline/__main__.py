"""The program `sightline`, which the package brings along: python -m sightline --help."""

import os
import sys

from .bake import program


def main():
    """Becomes the program, with the arguments of this process."""
    os.execv(program(), [program(), *sys.argv[1:]])


if __name__ == "__main__":
    main()

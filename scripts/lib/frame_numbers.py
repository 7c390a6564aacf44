#!/usr/bin/python3
"""Numbers that frames carry in their upper left corner: 18 blocks, bright for 1. The camera that draws them is
scripts/virtual-camera --numbered.

  scripts/lib/frame_numbers.py FILE     prints the number of each frame of a movie, a line each
"""

import subprocess
import sys

# Pixels of a block's side: what lossy encoders and half as many colour samples leave of it is still bright or dark.
BLOCK = 16
BITS = 16


def blocks(number):
    """Whether each block is bright: one that is always, the number's bits, the highest first, and their parity."""
    bits = [number >> bit & 1 for bit in reversed(range(BITS))]
    return [1, *bits, sum(bits) & 1]


def numbers(path, left=0, top=0):
    """The number of each frame in order, that stands so many pixels from the left and the top; None where it shows none."""
    width = BLOCK * (BITS + 2)
    result = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-vf",
         f"crop={width}:{BLOCK}:{left}:{top},scale={BITS + 2}:1:flags=area,format=gray", "-fps_mode", "passthrough",
         "-f", "rawvideo", "-"], capture_output=True, check=True)
    lines = [result.stdout[at:at + BITS + 2] for at in range(0, len(result.stdout), BITS + 2)]
    return [number_of(line) for line in lines]


def number_of(line):
    bits = [int(value > 128) for value in line]
    number = int("".join(map(str, bits[1:-1])), 2)
    return number if bits == blocks(number) else None


if __name__ == "__main__":
    print(*numbers(sys.argv[1]), sep="\n")

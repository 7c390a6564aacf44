#!/usr/bin/python3
"""Where the time of a test run went.

  test_times.py FOLDER

FOLDER is what scripts/test leaves: `parts`, a line for each part, and each part's log. Prints each part's time, that of the
processors, and when it began, as some run beside each other, and the ten slowest tests that run one after another or by turns.
"""

import os
import re
import sys

folder = sys.argv[1]


def processors(text):
    """Seconds, user and system, of all children, as bash's `times` tells: the second of two lines."""
    numbers = [60 * int(minutes) + float(seconds) for minutes, seconds in re.findall(r"(\d+)m([\d.]+)s", text)]
    return sum(numbers[6:8]) - sum(numbers[2:4])


def tests(name):
    """Seconds of each test in a part's log that ran alone, or by turns: of others Swift Testing counts for how long they waited too."""
    with open(os.path.join(folder, f"{name}.log"), encoding="utf-8", errors="replace") as file:
        text = file.read()
    turns = {}
    for test, seconds in re.findall(r"Turn of “(.*?)” took ([\d.]+) seconds", text):
        turns[test] = turns.get(test, 0) + float(seconds)
    running, shared = set(), set()
    line = r"(?m)^[◇✔✘] Test (?!run |case )(.*?)(?: with \d+ test cases?)? (?:(started)|(?:passed|failed) after ([\d.]+) seconds)"
    for test, begins, seconds in re.findall(line, text):
        plain = test.strip('"')
        if begins:
            running.add(test)
            if len(running) > 1:
                shared |= running
        else:
            running.discard(test)
            if plain in turns or test not in shared:
                yield turns.get(plain, float(seconds)), plain, name


parts, slow = [], []
with open(os.path.join(folder, "parts"), encoding="utf-8") as lines:
    for line in lines:
        part, began, ended, spent = line.rstrip("\n").split("\t")
        parts.append((part, float(began), float(ended), processors(spent)))
        slow += tests(part)
print(f"{'seconds':>8} {'CPU':>8} {'began at':>8}  part")
first, last = min(row[1] for row in parts), max(row[2] for row in parts)
for part, began, ended, cpu in parts + [("all", first, last, sum(row[3] for row in parts))]:
    print(f"{ended - began:8.1f} {cpu:8.1f} {began - first:8.1f}  {part}")
print("\nThe ten slowest tests that ran alone or by turns, in seconds, with all their cases:")
for seconds, test, part in sorted(slow, reverse=True)[:10]:
    print(f"{seconds:8.1f}  {test} ({part})")

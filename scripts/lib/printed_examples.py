#!/usr/bin/python3
"""Are the Swift examples that are printed those that are run?

  printed_examples.py DOCUMENT… -- SOURCE…

Each ```swift block of the documents, without its imports, stands word by word in one of the sources, where it may be
indented and without a document's note behind a line. Ends with 1 and names those that do not.
"""

import re
import sys
import textwrap

documents, sources = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def lines(code):
    """Without indentation to the left of all, empty lines and trailing comments."""
    code = re.sub(r"(?m)^import .*\n", "", code)
    code = re.sub(r"(?m)\s+//.*$", "", code)
    return "\n".join(line for line in textwrap.dedent(code).splitlines() if line.strip())


bodies = [lines(match) for path in sources for match in re.findall(r"(?ms)^\S*[^\n]*func [^\n]*\{\n(.*?)^\}", text(path))]
missing = [(path, block) for path in documents for block in re.findall(r"(?ms)^```swift\n(.*?)^```", text(path))
           if not any(lines(block) in body for body in bodies)]
for path, block in missing:
    print(f"{path}: this example is not run by the outside package:\n{block}", file=sys.stderr)
sys.exit(1 if missing else 0)

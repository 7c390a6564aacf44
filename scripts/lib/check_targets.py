"""Compares the table of targets in Architecture.md with what the sources import: check_targets.py. Part of scripts/format.

Every target of this package has a row, and the row names all targets that it imports and no other.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "Sources/Rushes/Rushes.docc/Architecture.md"
IMPORT = re.compile(r"^\s*(?:(?:public|package|@_exported) )*import (\w+)$", re.MULTILINE)
# What is built and never shipped, and what the row calls "all of the above".
UNLISTED, EVERYTHING = {"MovieFilesFuzz"}, {"RushesCommands"}

folders = {path.name: path for path in (ROOT / "Sources").iterdir() if path.is_dir()}
folders["rushes"] = folders.pop("rushes-tool")
folders["PipelineTables"] = ROOT / "pipelines"
rows = {
    name: set(re.findall(r"\w+", row[2]))
    for row in re.findall(r"^\| (`[^|]+) \| ([^|]*) \| ([^|]*) \|$", TABLE.read_text(), re.MULTILINE)
    for name in re.findall(r"`(\w+)`", row[0])
}
problems = [f"{name} has no row" for name in sorted(folders.keys() - rows.keys() - UNLISTED)]
for name in sorted(folders.keys() & rows.keys() - EVERYTHING):
    sources = "\n".join(path.read_text() for path in folders[name].rglob("*.swift"))
    imported, told = set(IMPORT.findall(sources)) & folders.keys(), rows[name] & folders.keys()
    if imported != told:
        problems.append(f"{name} imports {', '.join(sorted(imported)) or 'none'} and not {', '.join(sorted(told)) or 'none'}")
for problem in problems:
    print(f"Architecture.md: {problem}", file=sys.stderr)
sys.exit(bool(problems))

"""Compares what the sources import with Package.swift and with the table of targets in Architecture.md: check_targets.py. Part of
scripts/format.

Every target of this package has a row, and the row names all targets that it imports and no other. Package.swift names them too: what is
only reached through another target compiles, and is not compiled again when it changes, so that a structure has two layouts in one
program.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "Sources/Rushes/Rushes.docc/Architecture.md"
PACKAGE = (ROOT / "Package.swift").read_text()
IMPORT = re.compile(r"^\s*(?:(?:public|package|@\w+) )*import (\w+)$", re.MULTILINE)
# What is built and never shipped, and what the row calls "all of the above".
UNLISTED, EVERYTHING = {"MovieFilesFuzz"}, {"RushesCommands"}


def imports(folder: pathlib.Path) -> set[str]:
    return set(IMPORT.findall("\n".join(path.read_text() for path in folder.rglob("*.swift"))))


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
    imported, told = imports(folders[name]) & folders.keys(), rows[name] & folders.keys()
    if imported != told:
        problems.append(f"{name} imports {', '.join(sorted(imported)) or 'none'} and not {', '.join(sorted(told)) or 'none'}")
problems = [f"Architecture.md: {problem}" for problem in problems]
targets = dict(re.findall(r'(?:layer|tests)\(\s*"(\w+)",\s*\[(.*?)\]', PACKAGE, re.DOTALL))
targets |= dict(re.findall(r'name: "(\w+)", dependencies: \[(.*?)\]', PACKAGE, re.DOTALL))
folders |= {path.name: path for path in (ROOT / "Tests").iterdir() if path.is_dir()}
for name in sorted(folders.keys() & targets.keys()):
    # Of each target of tests the support is a dependency, without being named.
    told = set(re.findall(r'"(\w+)"', targets[name])) & folders.keys()
    imported = imports(folders[name]) & folders.keys() - {"TestSupport"}
    if imported != told:
        problems.append(f"Package.swift: {name} imports {', '.join(sorted(imported))} and not {', '.join(sorted(told))}")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(bool(problems))

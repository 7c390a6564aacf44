"""Turns what `rushes --experimental-dump-help` prints into a man page, see man(7): manual.py < dump > rushes.1.

Part of scripts/install: the page says what --help says, all commands in one.
"""

import json
import sys


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def paragraphs(text):
    """Prose is filled, what is indented is shown as it is, and a line in capitals is a heading."""
    for line in text.splitlines():
        if not line.strip():
            yield ".PP"
        elif line == line.upper() and line[0].isalpha():
            yield f".PP\n\\fB{escaped(line.capitalize())}\\fR\n.br"
        elif line.startswith(" "):
            yield f".nf\n{escaped(line)}\n.fi"
        else:
            yield escaped(line)


def option(argument):
    names = ["-" * (1 if name["kind"] == "short" else 2) + name["name"] for name in argument.get("names", [])]
    value = argument.get("valueName", "value")
    shown = ", ".join(names) + (f" <{value}>" if argument["kind"] == "option" else "") if names else f"<{value}>"
    yield f".TP\n\\fB{escaped(shown)}\\fR"
    # As --help has them behind what it says.
    facts = {"values": ", ".join(argument.get("allValues") or []), "default": argument.get("defaultValue")}
    known = "; ".join(f"{name}: {value}" for name, value in facts.items() if value)
    yield escaped(argument.get("abstract", "") + (f" ({known})" if known else ""))


def described(command):
    if command.get("abstract"):
        yield escaped(command["abstract"])
    if command.get("discussion"):
        yield ".PP"
        yield from paragraphs(command["discussion"])
    for argument in command.get("arguments", []):
        if argument.get("shouldDisplay") and argument.get("preferredName", {}).get("name") not in ("help", "version"):
            yield from option(argument)


def page(command):
    yield ".TH RUSHES 1"
    yield f".SH NAME\nrushes \\- {escaped(command['abstract'].rstrip('.'))}"
    yield ".SH SYNOPSIS\n\\fBrushes\\fR \\fIcommand\\fR [\\fIoption\\fR ...]"
    yield ".SH DESCRIPTION"
    yield from described({**command, "abstract": None})
    for sub in command["subcommands"]:
        if sub.get("shouldDisplay") and sub["commandName"] != "help":
            yield f".SH {escaped('rushes ' + sub['commandName']).upper()}"
            yield from described(sub)
            for step in sub.get("subcommands", []):
                if step.get("shouldDisplay") and step["commandName"] != "help":
                    yield f".SS {escaped(sub['commandName'] + ' ' + step['commandName'])}"
                    yield from described(step)


print("\n".join(page(json.load(sys.stdin)["command"])))

"""The peak memory of a command together with all processes that it starts."""

import os
import subprocess
import time


def peak_memory(command, folder):
    """In MB, of which pages that several share count once: the proportional set sizes, looked at twenty times a second."""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(proportional_size, family(process.pid))))
        time.sleep(0.05)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return peak / 1024


def family(first):
    """The process and all that it or they have started."""
    children = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                # The name before it may hold anything, also parentheses.
                parent = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(name))
    found = [first]
    for process in found:
        found += children.get(process, [])
    return found


def proportional_size(process):
    """In KiB; none of a process that has just ended."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("Pss:")), 0)
    except OSError:
        return 0

"""The peak memory of a command together with all processes that it starts."""

import os
import subprocess
import threading


def peak_memory(command, folder):
    """In MB, of which pages that several share count once."""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    with PeakMemory(process.pid) as peak:
        process.wait()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return peak.megabytes


class PeakMemory:
    """The proportional set sizes of a process and all that it or they have started, looked at twenty times a second."""

    def __init__(self, process):
        self.process, self.megabytes, self.ended = process, 0, threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)

    def look(self):
        while not self.ended.wait(0.05):
            self.megabytes = max(self.megabytes, sum(map(proportional_size, family(self.process))) / 1024)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


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

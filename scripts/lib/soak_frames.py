"""Recordings at default settings of a camera whose frames carry their numbers, for scripts/soak."""

import glob
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from frame_numbers import numbers
from soak_load import busy

HERE = os.path.dirname(os.path.realpath(__file__))
RATE, SECONDS = 24, 6
INSIDE = "RUSHES_SOAK_HAS_DEVICES"
# What the camera writes down of its frames.
LOG = "RUSHES_SOAK_FRAME_LOG"


def frames(chosen):
    """Records again and again; returns how many recordings lost frames, or are not as they were told."""
    if INSIDE not in os.environ:
        script = os.path.join(os.path.dirname(HERE), "with-devices")
        log = tempfile.NamedTemporaryFile(prefix="rushes-soak.", suffix=".log", delete=False).name
        os.execve(
            script, [script, "--numbered", "--frame-log", log, *sys.argv], {**os.environ, INSIDE: "1", LOG: log})
    count, bad, drops = chosen.count or 20, 0, []
    try:
        with busy(chosen.busy), tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder:
            for number in range(1, count + 1):
                before = spent()
                faults, words, dropped = recording(chosen, os.path.join(folder, f"{number}.mov"))
                others = used_by_others(before, spent(), chosen.busy)
                drops.append((dropped, others))
                if dropped and others <= OTHERS and not chosen.may_drop:
                    faults.append(f"{dropped} frames were dropped that the camera gave")
                bad += bool(faults)
                print(f"recording {number}: {words}; others used {others:.1f} cores"
                      f"{''.join(f'; {fault}' for fault in faults)}", flush=True)
    finally:
        os.remove(os.environ[LOG])
    beside = f" beside {chosen.busy} busy loop{'s'[:chosen.busy > 1]}" if chosen.busy else ""
    whole, dropped = sum(not number for number, _ in drops), sum(number for number, _ in drops)
    uses = sorted(others for _, others in drops)
    if not chosen.may_drop and not bad and count - whole > count * MAY_DROP:
        print("too many of them have not, also for a machine that others use")
        bad += 1
    print(f"{whole} of {count} recordings{beside} have every frame, of the others {dropped} were dropped; {count - bad} are as they should be;"
          f" others used {uses[0]:.1f} to {uses[-1]:.1f} cores")
    return bad


# Cores that others may use, the virtual devices and their servers too, before they are why a frame is dropped.
OTHERS = 0.6
# Of the recordings beside such; of twenty beside 1.7 of two cores none did.
MAY_DROP = 1 / 3


def spent():
    """Seconds by the clock, of all processors in use, and of this script's own programs that have ended."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, interrupts, soft, *_ = (int(word) for word in file.readline().split()[1:])
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK"), own.ru_utime + own.ru_stime


def used_by_others(before, after, loops):
    """Cores, on the average; the busy loops are asked for."""
    clock, used, own = (later - earlier for earlier, later in zip(before, after))
    # A loop has the core that the recorder leaves it, at the most.
    return max(0, (used - own) / clock - loops)


def recording(chosen, path):
    """Records once; returns what is wrong, what it was, and how many frames were dropped that the camera gave."""
    command = [chosen.rushes, "record", path, "--json", "--progress", "none", "--camera", "bunny", "--microphone", "talk",
               "--duration", str(SECONDS)]
    command += ["--codec", chosen.codec] if chosen.codec else []
    command += ["--split-every", chosen.split_every] if chosen.split_every else []
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    if result.returncode != 0 or not events:
        return [f"exit {result.returncode}"], result.stderr.strip()[-300:], 0
    state = events[-1]["content-state"]
    written, dropped = state["framesWritten"], state["framesDropped"]
    files = [path] + sorted(glob.glob(glob.escape(path[:-4]) + "-*.mov"))
    shown = [number for file in files for number in numbers(file)]
    for file in files:
        os.remove(file)
    faults = []
    if None in shown or any(later <= earlier for earlier, later in zip(shown, shown[1:])):
        faults.append(f"the frames' numbers are not in order: {shown}")
        return faults, "", 0
    span = shown[-1] - shown[0] + 1
    missing = sorted(set(range(shown[0], shown[-1])) - set(shown))
    # A camera that does not get its turn itself gives PipeWire nothing that could be recorded.
    given = given_to_pipewire()
    lost = [number for number in missing if number in given]
    late = behind(shown, given)
    if len(shown) != written:
        faults.append(f"the movie has {len(shown)}")
    # The last frame's place may be on either side of the end. A camera that is late itself may skip more numbers than frames fit
    # into that time: what it gave is what must be there, or counted.
    sent = span - (len(missing) - len(lost))
    if abs(written + dropped - SECONDS * RATE) > 1 or written + dropped < sent:
        faults.append(f"the camera sent {sent} of {span}, and {missing} are missing")
    said = events[0]["content-state"].get("message", "").split(";")[0]
    inside = f" in {len(files)} files" if len(files) > 1 else ""
    if chosen.split_every and not inside:
        faults.append("there is one file")
    own = f" ({len(missing) - len(lost)} by the camera itself, {late} at the end; {lost} of {shown[0]} to {shown[-1]})" if dropped else ""
    return faults, f"{written} frames{inside}, {dropped} dropped{own}; {said}", len(lost) + late


def behind(shown, given):
    """How many frames belong behind the last one that is shown, and PipeWire had them before the recording's end."""
    # A movie begins with its first frame.
    taken, _ = given.get(shown[0], (0, 0))
    last = shown[0] + SECONDS * RATE - 1
    return sum(came < taken + SECONDS * 10**9 for number, (_, came) in given.items() if shown[-1] < number <= last)


def given_to_pipewire():
    """The frames that came to the camera's sink, and that this did not throw away as too late: when each was taken and came there, in
    nanoseconds of one clock, by its number."""
    with open(os.environ[LOG], encoding="ascii") as log:
        lines = [[int(word) for word in line.split()] for line in log.read().splitlines()]
    # Each line says how many before it were thrown away.
    return {line[0]: (line[1], line[2]) for line, following in zip(lines, lines[1:] + lines[-1:]) if following[3] == line[3]}

"""Recordings at default settings of a camera whose frames carry their numbers, for scripts/soak."""

import glob
import json
import os
import subprocess
import sys
import tempfile

from frame_numbers import numbers

HERE = os.path.dirname(os.path.realpath(__file__))
RATE, SECONDS = 24, 6
INSIDE = "RUSHES_SOAK_HAS_DEVICES"


def frames(chosen):
    """Records again and again; returns how many recordings lost frames, or are not as they were told."""
    if INSIDE not in os.environ:
        script = os.path.join(os.path.dirname(HERE), "with-devices")
        os.execve(script, [script, "--numbered", *sys.argv], {**os.environ, INSIDE: "1"})
    count, bad = chosen.count or 20, 0
    # A busy loop as anybody's program would be, with the priority of the recorder.
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(chosen.busy)]
    try:
        with tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder:
            for number in range(1, count + 1):
                faults, words = recording(chosen, os.path.join(folder, f"{number}.mov"))
                bad += bool(faults)
                print(f"recording {number}: {words}{''.join(f'; {fault}' for fault in faults)}", flush=True)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    beside = f" beside {chosen.busy} busy loop{'s'[:chosen.busy > 1]}" if chosen.busy else ""
    print(f"{count - bad} of {count} recordings{beside} have every frame")
    return bad


def recording(chosen, path):
    command = [chosen.rushes, "record", path, "--json", "--progress", "none", "--camera", "bunny", "--microphone", "talk",
               "--duration", str(SECONDS)]
    command += ["--codec", chosen.codec] if chosen.codec else []
    command += ["--split-every", chosen.split_every] if chosen.split_every else []
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    if result.returncode != 0 or not events:
        return [f"exit {result.returncode}"], result.stderr.strip()[-300:]
    state = events[-1]["content-state"]
    written, dropped = state["framesWritten"], state["framesDropped"]
    files = [path] + sorted(glob.glob(glob.escape(path[:-4]) + "-*.mov"))
    shown = [number for file in files for number in numbers(file)]
    for file in files:
        os.remove(file)
    faults = []
    if None in shown or any(later <= earlier for earlier, later in zip(shown, shown[1:])):
        faults.append(f"the frames' numbers are not in order: {shown}")
        return faults, ""
    span = shown[-1] - shown[0] + 1
    missing = sorted(set(range(shown[0], shown[-1])) - set(shown))
    if dropped and not chosen.may_drop:
        faults.append(f"frames were dropped, {missing} of {shown[0]} to {shown[-1]} are missing")
    if len(shown) != written:
        faults.append(f"the movie has {len(shown)}")
    # The last frame's place may be on either side of the end.
    if abs(written + dropped - SECONDS * RATE) > 1 or written + dropped < span:
        faults.append(f"the camera sent {span}, and {missing} are missing")
    said = events[0]["content-state"].get("message", "").split(";")[0]
    inside = f" in {len(files)} files" if len(files) > 1 else ""
    if chosen.split_every and not inside:
        faults.append("there is one file")
    return faults, f"{written} frames{inside}, {dropped} dropped; {said}"

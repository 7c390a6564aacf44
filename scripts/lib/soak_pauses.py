"""A recording that is paused again and again, of a camera that flashes and a microphone that ticks, for scripts/soak."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
SCRIPTS = os.path.dirname(HERE)
RATE = 30
INSIDE = "RUSHES_SOAK_HAS_DEVICES"


def pauses(chosen):
    """Returns whether video and audio are out of step, or frames unevenly apart."""
    if INSIDE not in os.environ:
        servers = [os.path.join(SCRIPTS, "with-pipewire"), os.path.join(SCRIPTS, "with-pulseaudio")]
        os.execve(servers[0], [*servers, os.path.join(SCRIPTS, "soak"), *sys.argv[1:]], {**os.environ, INSIDE: "1"})
    count = chosen.count or 100
    with tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder:
        devices = subprocess.Popen([os.path.join(SCRIPTS, "flash-and-tick")], stdout=subprocess.PIPE)
        try:
            devices.stdout.readline()
            path = os.path.join(folder, "paused.mov")
            paused = record(chosen, path, count, {**os.environ, "XDG_STATE_HOME": folder})
            return judge(path, paused)
        finally:
            devices.terminate()
            devices.wait()


def record(chosen, path, count, environment):
    """Seconds that were left out, about, and those that the events told."""
    command = [chosen.rushes, "record", path, "--json", "--progress", "none", "--camera", "flash", "--microphone", "tick",
               "--codec", "mjpeg", "--audio", "pcm"]
    recording = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    name = json.loads(recording.stdout.readline())["id"]

    def ask(wish):
        subprocess.run([chosen.rushes, "control", name, wish], check=True, env=environment)

    time.sleep(2)
    for number in range(count):
        ask("pause")
        time.sleep(random.uniform(0.01, 0.4))
        ask("resume")
        time.sleep(random.uniform(0.3, 1.2))
        if number % 10 == 9:
            print(f"{number + 1} pauses", flush=True)
    time.sleep(2)
    ask("stop")
    lines = recording.communicate()[0].splitlines()
    if recording.returncode != 0:
        sys.exit(f"the recording ended with {recording.returncode}: {lines[-1:]}")
    return json.loads(lines[-1])["content-state"]


def judge(path, told):
    times = [float(line) for line in subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path],
        capture_output=True, text=True, check=True).stdout.replace(",", "").split()]
    steps = [later - earlier for earlier, later in zip(times, times[1:])]
    audio = float(subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=duration", "-of", "csv=p=0", path],
        capture_output=True, text=True, check=True).stdout.strip(", \n"))
    measured = json.loads(subprocess.run(
        [os.path.join(SCRIPTS, "measure-sync"), path], capture_output=True, check=True).stdout)
    offsets = [flash["offset"] for flash in measured["flashes"]]
    # A flash that began in a pause has its tick there; one that is cut has none.
    near = [offset for offset in offsets if abs(offset) < 100]
    faults = []
    if told["framesWritten"] != len(times):
        faults.append(f"the events told {told['framesWritten']} frames")
    # The end lies between two frames, whose stamps on PipeWire are those of their arrival.
    if abs(audio - times[-1] - 1 / RATE) > 1 / RATE:
        faults.append(f"{audio:.3f} s of audio, {times[-1] + 1 / RATE:.3f} s of video")
    worst = max(near, key=abs, default=999)
    if abs(worst) > 500 / RATE:
        faults.append(f"a tick is {worst:.1f} ms from its flash")
    if len(near) < len(offsets) / 2:
        faults.append(f"only {len(near)} of {len(offsets)} flashes have a tick")
    print(f"{len(times)} frames, {min(steps) * 1000:.1f} to {max(steps) * 1000:.1f} ms apart; {audio:.3f} s of audio;"
          f" {len(near)} flashes, their ticks {min(near):.1f} to {max(near):.1f} ms away{''.join('; ' + fault for fault in faults)}")
    return bool(faults)

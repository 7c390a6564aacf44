"""Faults of every kind while one recording runs, for scripts/soak."""

import collections
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from soak_compose import INSIDE, camera, keep_state_in
from soak_unplug import Events

HERE = os.path.dirname(os.path.realpath(__file__))
CAMERA, OTHER, MICROPHONE, LOUDSPEAKER, RATE = "road", "desk", "talk", "speaker0.monitor", 30
# What a fault leaves out of the movie or adds to it, and how far its time is from what the clock says, in seconds.
SLACK = 0.5


def begin_with_both_servers():
    """Begins anew with PipeWire for the camera and PulseAudio for the microphone, unless they are there."""
    if INSIDE not in os.environ:
        scripts = [os.path.join(os.path.dirname(HERE), name) for name in ("with-pipewire", "with-pulseaudio")]
        os.execve(scripts[0], [*scripts, *sys.argv], {**os.environ, INSIDE: "1"})


def has_ended(process):
    """Whether a process is gone, or waits for its parent to see it."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True


def wait_until(what, is_so, seconds=60):
    """Ends the soak where that does not come true in time."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            sys.exit(f"not in {seconds} seconds: {what}")
        time.sleep(0.1)


class Devices:
    """One camera and one microphone, which come and go, and another camera that is there for a while."""

    def __init__(self):
        self.camera = self.microphone = None
        self.plug_camera()
        self.plug_microphone()
        self.other = self.server = None

    def plug_camera(self):
        self.camera = camera(CAMERA, "640x360", RATE)

    def plug_microphone(self):
        self.microphone = subprocess.Popen(
            [os.path.join(os.path.dirname(HERE), "virtual-microphone"), MICROPHONE, "--tone", "440"],
            stdout=subprocess.PIPE, text=True)
        if "plugged in" not in self.microphone.stdout.readline():
            sys.exit(f"the microphone ended with {self.microphone.wait()}")

    def restart_server(self):
        """PulseAudio ends and is started again, as scripts/with-pulseaudio does."""
        killed = int(os.environ["PULSEAUDIO_PID"])
        os.kill(killed, signal.SIGKILL)
        folder = os.path.dirname(os.environ["PULSE_COOKIE"])
        own = {name: folder for name in ("HOME", "XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH")}
        kept = {name: value for name, value in os.environ.items() if name not in ("PULSE_SERVER", "DISPLAY")}
        if self.server:
            self.server.wait()
        # The next one leaves a socket alone at which somebody still answers, and then nobody reaches it.
        wait_until("the sound server is gone", lambda: has_ended(killed))
        self.server = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--system=no", "--exit-idle-time=-1", "--realtime=no",
             "--disable-shm=yes", "-F", os.path.join(folder, "server.pa")],
            env={**kept, **own}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.environ["PULSEAUDIO_PID"] = str(self.server.pid)
        wait_until("the sound server answers", lambda: subprocess.run(
            ["pactl", "info"], capture_output=True, check=False, timeout=60).returncode == 0)

    @staticmethod
    def unplug(process):
        process.terminate()
        process.wait()

    def close(self):
        for process in (self.camera, self.other, self.microphone, self.server):
            if process and process.poll() is None:
                self.unplug(process)


class Plugged:
    """A camera that was just plugged in."""

    def __init__(self, process):
        self.process = process

    def has_crashed(self):
        """pipewiresink (0.3.65) may crash as somebody connects to a camera that has just come."""
        return self.process.poll() is not None


class Take:
    """A recording, and what is done to it; each fault returns what went wrong with the telling of it, or nothing."""

    def __init__(self, chosen, folder, dice):
        self.path, self.dice, self.devices = os.path.join(folder, "take.mov"), dice, Devices()
        self.process = subprocess.Popen(
            [chosen.rushes, "record", self.path, "--json", "--progress", "none", "--camera", CAMERA, "--microphone",
             MICROPHONE, "--microphone", LOUDSPEAKER, "--codec", chosen.codec or "h264", "--replay", "5s"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(os.path.join(folder, "words"), "w"), text=True)
        self.rushes, self.events, self.noticed = chosen.rushes, Events(self.process), collections.defaultdict(list)
        self.id = None

    def control(self, *words):
        subprocess.run([self.rushes, "control", self.id, *words], check=True, capture_output=True, timeout=60)

    def told(self, what, words, **limits):
        """Waits for words, and remembers how long that took."""
        begin = time.monotonic()
        if not self.events.until(words, **limits):
            return f"“{words}” was not told; the last event is {json.dumps(self.events.last, ensure_ascii=False)}"
        self.noticed[what].append(time.monotonic() - begin)
        return None

    # MARK: Faults

    def camera_unplugged(self):
        self.devices.unplug(self.devices.camera)
        fault = self.told("camera lost", '"interrupted"')
        time.sleep(self.dice.uniform(0, 3))
        for _ in range(5):
            self.devices.plug_camera()
            if fault or not (again := self.told("camera back", '"running"', camera=Plugged(self.devices.camera))):
                return fault
        return again

    def microphone_unplugged(self):
        self.devices.unplug(self.devices.microphone)
        fault = self.told("microphone lost", f"{MICROPHONE} is lost")
        time.sleep(self.dice.uniform(0, 3))
        self.devices.plug_microphone()
        return fault or self.told("microphone back", f"{MICROPHONE} is back")

    def camera_stalled(self):
        self.devices.camera.send_signal(signal.SIGSTOP)
        time.sleep(self.dice.uniform(0.2, 1.5))
        self.devices.camera.send_signal(signal.SIGCONT)

    def microphone_stalled(self):
        self.devices.microphone.send_signal(signal.SIGSTOP)
        time.sleep(self.dice.uniform(0.2, 2.5))
        self.devices.microphone.send_signal(signal.SIGCONT)

    def microphone_muted(self):
        for mute in "10":
            subprocess.run(["pactl", "set-source-mute", MICROPHONE, mute], check=True)
            time.sleep(self.dice.uniform(0.2, 1))

    def microphone_suspended(self):
        """As by a program that takes the card for itself."""
        subprocess.run(["pactl", "suspend-source", MICROPHONE, "1"], check=True)
        fault = self.told("microphone suspended", f"{MICROPHONE} is suspended")
        time.sleep(self.dice.uniform(0, 2))
        subprocess.run(["pactl", "suspend-source", MICROPHONE, "0"], check=True)
        return fault or self.told("microphone resumed", f"{MICROPHONE} is no longer suspended")

    def server_restarted(self):
        self.devices.restart_server()
        self.devices.unplug(self.devices.microphone)
        fault = self.told("sound server gone", f"{MICROPHONE} is lost")
        time.sleep(self.dice.uniform(0, 2))
        self.devices.plug_microphone()
        return fault or self.told("microphone back after the server", f"{MICROPHONE} is back")

    def server_stalled(self):
        server = int(os.environ["PULSEAUDIO_PID"])
        os.kill(server, signal.SIGSTOP)
        time.sleep(self.dice.uniform(0.2, 2))
        os.kill(server, signal.SIGCONT)

    def recorder_stopped(self):
        """As a machine that sleeps."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(self.dice.uniform(0.2, 2))
        self.process.send_signal(signal.SIGCONT)

    def paused(self):
        self.control("pause")
        fault = self.told("paused", '"paused"')
        time.sleep(self.dice.uniform(0.1, 1))
        self.control("resume")
        return fault or self.told("resumed", '"running"')

    def camera_switched(self):
        """To another one and back, of another size; every second time the other one is unplugged before."""
        for _ in range(5):
            self.devices.other = camera(OTHER, "320x240", 15)
            self.control("switch", OTHER)
            fault = self.told("camera switched", f"continues with {OTHER}", camera=Plugged(self.devices.other))
            if not fault or not Plugged(self.devices.other).has_crashed():
                break
        time.sleep(self.dice.uniform(0.5, 1.5))
        if self.dice.random() < 0.5:
            self.devices.unplug(self.devices.other)
            fault = fault or self.told("camera lost", '"interrupted"')
        self.control("switch", CAMERA)
        fault = fault or self.told("camera switched", f"continues with {CAMERA}")
        self.devices.unplug(self.devices.other)
        return fault

    def split(self):
        self.control("split")
        return self.told("next file", "recording continues in")

    def saved(self):
        self.control("save", "3s")
        return self.told("saved", "Saved ")

    def renamed(self):
        output = self.events.last["content-state"]["output"]
        other = output.replace(".mov", " moved.mov") if " moved" not in output else output.replace(" moved", " again")
        if os.path.exists(output) and not os.path.exists(other):
            os.rename(output, other)
        return None

    FAULTS = (camera_unplugged, microphone_unplugged, camera_stalled, microphone_stalled, microphone_muted, microphone_suspended, server_stalled,
              server_restarted, recorder_stopped, camera_switched, paused, split, saved, renamed)


def faults(chosen):
    """Does N faults to one recording; returns 1 where it ends, is not told, grows, or leaves a file that does not play."""
    begin_with_both_servers()
    count, seed = chosen.count or 200, chosen.seed or 1
    dice, found = random.Random(seed), []
    with tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder:
        keep_state_in(folder)
        take = Take(chosen, folder, dice)
        try:
            if not take.events.until('"running"'):
                return ["the recording did not begin"]
            take.id = take.events.last["id"]
            found += all_faults(take, count)
            take.process.send_signal(signal.SIGINT)
            take.events.until("never told", seconds=120)
            found += judge(take, folder)
        finally:
            take.process.kill()
            take.devices.close()
    for what, seconds in sorted(take.noticed.items()):
        print(f"{what}: told after {statistics.median(seconds):.2f} s, at most {max(seconds):.2f} s ({len(seconds)} times)")
    for fault in found:
        print(fault)
    return bool(found)


def all_faults(take, count):
    found, sizes = [], []
    deck = []
    for number in range(1, count + 1):
        # Each kind as often as any other.
        deck = deck or take.dice.sample(Take.FAULTS, len(Take.FAULTS))
        one = deck.pop()
        fault = one(take)
        print(f"{number}: {one.__name__.replace('_', ' ')}{': ' + fault if fault else ''}", flush=True)
        if fault:
            found.append(f"fault {number}, {one.__name__.replace('_', ' ')}: {fault}")
        if take.process.poll() is not None:
            return found + [f"the recorder ended with {take.process.returncode} after fault {number}"]
        # Whatever was told meanwhile is no answer to the next one.
        time.sleep(take.dice.uniform(0.5, 2))
        take.events.until("never told", seconds=0.3)
        sizes.append(used(take.process))
    # What is loaded and cached by each kind of fault once is not growth.
    half = max(len(Take.FAULTS), len(sizes) // 2)
    early, late = sizes[half // 2:half] or sizes, sizes[half:] or sizes
    memory, files = (statistics.median(size[n] for size in late) - statistics.median(size[n] for size in early) for n in (0, 1))
    print(f"memory {sizes[-1][0]:.0f} MB, {memory:+.1f} MB from the first half to the second; {sizes[-1][1]} descriptors, {files:+.0f}")
    if memory > 25:
        found.append("memory grows")
    if files > 8:
        found.append("descriptors are left open")
    return found


def used(process):
    """Megabytes of memory and open descriptors."""
    with open(f"/proc/{process.pid}/status") as status:
        kilobytes = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return kilobytes / 1024, len(os.listdir(f"/proc/{process.pid}/fd"))


def judge(take, folder):
    """What is in the files, beside what was told."""
    state, found = take.events.last["content-state"], []
    # Devices were lost, however short.
    if take.process.wait() not in (0, 3) or not state.get("fileIsGood"):
        return [f"the recorder ended with {take.process.returncode}: {state}", open(os.path.join(folder, "words")).read()[-3000:]]
    files = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".mov"))
    seconds = frames = 0
    for file in files:
        decoded = subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-xerror", "-i", file, "-fps_mode", "passthrough", "-enc_time_base", "-1",
             "-f", "null", "-"], capture_output=True, text=True, check=False)
        if decoded.returncode or decoded.stderr:
            found.append(f"{os.path.basename(file)} does not decode: {decoded.stderr[:300]}")
        streams = {stream["codec_type"]: stream for stream in json.loads(subprocess.run(
            ["ffprobe", "-v", "error", "-count_packets", "-show_streams", "-of", "json", file], capture_output=True, text=True,
            check=True).stdout)["streams"] if stream["codec_type"] in ("video", "audio")}
        if len(streams) < 2:
            found.append(f"{os.path.basename(file)} has only {list(streams)}")
            continue
        ends = [float(stream["start_time"]) + float(stream["duration"]) for stream in streams.values()]
        if abs(ends[0] - ends[1]) > 0.1:
            found.append(f"{os.path.basename(file)}: its tracks end {abs(ends[0] - ends[1]):.3f} s apart")
        if "replay" not in file:
            seconds += float(streams["video"]["duration"])
            frames += int(streams["video"]["nb_read_packets"])
    print(f"{len(files)} files, {seconds:.1f} s, {frames} frames, {state['framesDropped']} counted as dropped")
    if frames != state["framesWritten"] or abs(seconds - state["mediaTime"]) > SLACK:
        found.append(f"told were {state['framesWritten']} frames and {state['mediaTime']:.1f} s")
    return found

"""A timelapse from a PipeWire camera in real time, whose frames carry their numbers, for scripts/soak."""

import json
import math
import os
import statistics
import subprocess
import tempfile
import threading
import time

from frame_numbers import BITS, numbers
from soak_compose import begin_with_servers, camera, keep_state_in, sent
from soak_load import busy

CAMERA, INTERVAL, RATE = ("yard", "1280x720", 30), 2, 30
# Of an interval, in seconds after its slot: a shot is encoded by then, and none is near.
BETWEEN = (0.7, 1.7)


def timelapse(chosen):
    """Takes shots for some minutes; returns 1 where one is not in its slot, or memory or descriptors grow."""
    begin_with_servers()
    with tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder:
        keep_state_in(folder)
        log, path = os.path.join(folder, "yard.log"), os.path.join(folder, "day.mov")
        device = camera(*CAMERA, log=log)
        clocks = [clock_difference()]
        try:
            with busy(chosen.busy):
                state, watch = shoot(chosen, path)
        finally:
            device.terminate()
            device.wait()
        clocks.append(clock_difference())
        faults = watch.faults()
        if state is None:
            faults.append("the timelapse did not end well")
        else:
            faults += judge(chosen, path, state, sent(log), clocks)
    for fault in faults:
        print(fault)
    return bool(faults)


def clock_difference():
    """How far the wall clock is ahead of the monotonic one, in seconds."""
    return time.time() - time.monotonic()


def shoot(chosen, path):
    seconds = 60 * (chosen.count or 60)
    process = subprocess.Popen(
        [chosen.rushes, "timelapse", path, "--json", "--progress", "none", "--camera", CAMERA[0], "--every", f"{INTERVAL}s",
         "--duration", f"{seconds}s", "--rate", str(RATE), "--codec", chosen.codec or "h264"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    watch, last = Watch(process.pid), None
    for line in process.stdout:
        last = json.loads(line)["content-state"]
        if last["phase"] == "running":
            watch.begin()
    watch.end()
    return (last if process.wait() == 0 else None), watch


class Watch:
    """What a process takes: each minute its memory and descriptors, and its processor time between shots."""

    def __init__(self, process):
        self.process, self.minutes, self.between, self.ended = process, [], [], threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def begin(self):
        if self.thread.ident is None:
            self.thread.start()

    def end(self):
        self.ended.set()
        if self.thread.ident is not None:
            self.thread.join()

    def run(self):
        seen, begun, used = [], time.monotonic(), self.processor()
        try:
            while not self.ended.is_set():
                # Slots lie on whole seconds, in even or odd ones: which they are is seen by which seconds take more.
                self.ended.wait((BETWEEN[0] - time.time()) % 1)
                second, begin, before = int(time.time()) % INTERVAL, time.monotonic(), self.processor()
                self.ended.wait(BETWEEN[1] - BETWEEN[0] - 0.05)
                if self.ended.is_set():
                    return
                self.between.append((second, (self.processor() - before) / (time.monotonic() - begin)))
                seen.append((self.memory(), len(os.listdir(f"/proc/{self.process}/fd"))))
                if (elapsed := time.monotonic() - begun) < 60:
                    continue
                share, begun, used = (self.processor() - used) / elapsed, begun + elapsed, self.processor()
                self.minutes.append((statistics.median(one[0] for one in seen), max(one[1] for one in seen)))
                print(f"minute {len(self.minutes)}: {self.minutes[-1][0]:.1f} MB, at most {self.minutes[-1][1]} descriptors, "
                      f"{100 * share:.2f} % of a core in all", flush=True)
                seen = []
        except OSError:
            # It has ended.
            return

    def processor(self):
        """Seconds of processor time so far."""
        with open(f"/proc/{self.process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        with open(f"/proc/{self.process}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def faults(self):
        kinds = [[share for kind, share in self.between if kind == which] for which in range(INTERVAL)]
        found = []
        if all(kinds):
            print(f"between shots {100 * min(map(statistics.mean, kinds)):.2f} % of a core, around a shot "
                  f"{100 * max(map(statistics.mean, kinds)):.2f} %")
        quarter = len(self.between) // 4
        if quarter > 60:
            begin, end = (100 * statistics.mean(share for _, share in part)
                          for part in (self.between[:quarter], self.between[-quarter:]))
            print(f"of a core {begin:.2f} % in the first quarter, {end:.2f} % in the last")
            # What costs a little more with each frame is not to be borne over weeks.
            if end > 1.5 * begin + 0.5:
                found.append(f"it takes more and more: {begin:.2f} % of a core at first, {end:.2f} % at last")
        if len(self.minutes) < 3:
            return found
        # The first minute fills pools and caches.
        (memory, descriptors), (last, last_descriptors) = self.minutes[1], self.minutes[-1]
        print(f"from the second minute to the last: memory {last - memory:+.1f} MB, descriptors {last_descriptors - descriptors:+d}")
        if last - memory > 8:
            found.append(f"the memory grew by {last - memory:.1f} MB")
        if last_descriptors > descriptors:
            found.append(f"there are {last_descriptors - descriptors} more descriptors")
        return found


def tags(path):
    found = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "format_tags:packet=pts_time", "-of", "json", path],
        capture_output=True, text=True, check=True).stdout)
    return found["format"]["tags"], [float(packet["pts_time"]) for packet in found["packets"]]


def judge(chosen, path, state, given, clocks):
    """Whether each shot lies in its slot, by when the camera took the frame that the movie shows."""
    decoded = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-xerror", "-i", path, "-f", "null", "-"],
                             capture_output=True, text=True, check=False)
    faults = [f"{path} does not decode: {decoded.stderr[:300]}"] if decoded.returncode or decoded.stderr else []
    shown, (told, times) = numbers(path), tags(path)
    slots = 60 * (chosen.count or 60) // INTERVAL
    missed = state["framesDropped"]
    if len(shown) + missed != slots or state["completedItems"] != len(shown):
        faults.append(f"{len(shown)} shots and {missed} missed are not the {slots} slots; {state['completedItems']} were told")
    if missed and not chosen.may_drop:
        faults.append(f"{missed} shots were missed")
    if any(abs(time_ - index / RATE) > 0.001 for index, time_ in enumerate(times)) or len(times) != len(shown):
        faults.append("shot n is not shown at n/rate")
    begin = int(subprocess.run(["date", "-d", told["creation_time"], "+%s"], capture_output=True, check=True).stdout)
    taken, before, turns = [], -1, 0
    for number in shown:
        if number is None:
            faults.append("a shot shows no number")
            continue
        # The pixels hold the lowest bits.
        turns += number < before
        before = number
        whole = number + (turns << BITS)
        if whole not in given:
            faults.append(f"the camera gave no frame {whole}")
            continue
        taken.append(given[whole] + clocks[0] - begin)
    places = [math.floor(at / INTERVAL + 0.5) for at in taken]
    late = [at - place * INTERVAL for at, place in zip(taken, places)]
    wrong = [(shot, place) for shot, place in enumerate(places) if place != shot]
    if places != sorted(set(places)) or (places and places[-1] >= slots) or (wrong and not missed):
        faults.append(f"shots are not in their slots: {wrong[:20]}")
    if late:
        print(f"{len(shown)} shots of {slots} slots, {missed} missed; taken {1000 * min(late):+.0f} to {1000 * max(late):+.0f} ms "
              f"after their slot, {1000 * statistics.median(late):+.0f} in the middle; the clock was kept right by "
              f"{1000 * (clocks[1] - clocks[0]):+.1f} ms")
        # Frames are stamped as they arrive, and a camera's own queue holds four. Nothing may be older, however busy the machine is.
        if min(late) < -5 / CAMERA[2]:
            faults.append("shots are of frames that were taken before their slot")
        if not chosen.may_drop and max(late) > 3 / CAMERA[2]:
            faults.append("shots are not of their slot's first frames")
    return faults

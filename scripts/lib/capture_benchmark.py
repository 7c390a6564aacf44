"""The parts of scripts/benchmark capture: how soon a camera of PipeWire is recorded and photographed, and what watching it costs.

The camera draws its number into each frame and writes down when it took it, so what counts is read from the files alone."""

import glob
import os
import subprocess
import sys
import time

from frame_numbers import numbers
from process_memory import PeakMemory
from soak_compose import keep_state_in, sent
from terminal_take import Take

HERE = os.path.dirname(os.path.realpath(__file__))
INSIDE = "RUSHES_BENCHMARK_HAS_SERVERS"
NAME, RATE = "road", 30
NUMBERED = ("--pattern", "ball", "--numbered")


def begin_with_all_servers():
    """Begins anew with an X server, PipeWire for the camera and PulseAudio for the microphone, unless they are there."""
    if INSIDE not in os.environ:
        scripts = [os.path.join(os.path.dirname(HERE), name) for name in ("with-desktop", "with-pipewire", "with-pulseaudio")]
        os.execve(scripts[0], [*scripts, *sys.argv], {**os.environ, INSIDE: "1"})


def plugged(script, *arguments):
    """A device, once clients can see it."""
    process = subprocess.Popen([os.path.join(os.path.dirname(HERE), script), *arguments], stdout=subprocess.PIPE, text=True)
    if "plugged in" not in process.stdout.readline():
        raise RuntimeError(f"{script} ended with {process.wait()}")
    return process


def unplug(process):
    if process:
        process.terminate()
        process.wait()


class CaptureParts:
    """Mixed into the Benchmark, whose runs and rows it uses."""

    camera = microphone = None

    def plug(self, size, *shown):
        """A camera from now on, instead of the one before."""
        if self.microphone is None:
            keep_state_in(self.folder)
            self.microphone = plugged("virtual-microphone", "talk", "--tone", "440")
        unplug(self.camera)
        self.camera_log = os.path.join(self.folder, f"camera-{time.monotonic_ns()}.log")
        self.camera = plugged(
            "virtual-camera", NAME, "--size", size, "--rate", str(RATE), "--log", self.camera_log, *(shown or NUMBERED))

    def take(self, file, *options):
        return Take(self.chosen.rushes, os.path.join(self.folder, file), "--camera", NAME, "--overwrite", *options)

    def unplug_all(self):
        for process in (self.camera, self.microphone):
            unplug(process)

    def taken(self, path):
        """When the camera took the first frame of a movie, or the frame of a photo, in seconds of the monotonic clock."""
        number = numbers(path)[0]
        times = sent(self.camera_log)
        if number not in times:
            raise RuntimeError(f"{os.path.basename(path)}: the camera gave no frame {number}")
        return times[number]

    def millis(self, part, what, values, goal=""):
        self.row(part, what, [1000 * value for value in values], "ms", goal)

    def cold(self):
        self.plug("1280x720")

        def once(*options):
            take = self.take("cold.mov", "--microphone", "talk", *options)
            take.until('"running"')
            time.sleep(0.5)
            take.stop()
            return self.taken(take.path) - take.began

        results = self.interleaved(self.runs(7), named=lambda: once("--codec", "h264"), default=once)
        self.millis("cold start, 1280x720", "process start to the first recorded frame, --codec h264", results["named"], "≤ 500 ms")
        self.millis("cold start, 1280x720", "the same, default settings", results["default"], "≤ 500 ms")

    def warm(self):
        self.plug("1280x720")

        def once(by_key):
            take = self.take("warm.mov", "--microphone", "talk", "--codec", "h264", "--standby", "--pre-roll", "0")
            take.until('"waiting"')
            # Anywhere between two frames.
            time.sleep(1 + time.monotonic_ns() % 100 / 1000)
            asked = time.monotonic()
            if by_key:
                asked = take.press("r")
            else:
                subprocess.run([take.rushes, "control", take.events.last["id"], "start"], check=True, capture_output=True)
            take.until('"running"')
            time.sleep(0.5)
            take.stop()
            return self.taken(take.path) - asked

        results = self.interleaved(self.runs(7), key=lambda: once(True), control=lambda: once(False))
        self.millis("warm start, 1280x720", "key r to the first recorded frame", results["key"], "≤ 120 ms")
        self.millis("warm start, 1280x720", "process start of rushes control to the first recorded frame", results["control"], "≤ 120 ms")

    def inset(self):
        """What a second camera costs that is drawn into the first one's frames. Both give raw frames: nothing is decoded."""
        self.only_ultrafast()
        self.plug("1280x720")
        face = plugged("virtual-camera", "face", "--size", "640x480", "--rate", str(RATE))

        def once(*inset):
            return self.rushes("inset.mov", "--camera", NAME, *inset, "--microphone", "none", "--codec", "h264", "--duration",
                               str(self.seconds))

        try:
            results = self.interleaved(
                self.runs(5), alone=once, composed=lambda: once("--inset", "face", "--layout", "bottom-right,radius=24"))
        finally:
            unplug(face)
            os.environ.pop("RUSHES_PIPELINES", None)
        part = "1280x720 at 30, H.264 ultrafast"
        for name, label in (("alone", "one camera: CPU"), ("composed", "with a rounded inset of 640x480 at 30: CPU")):
            self.row(part, label, [100 * run.cpu / self.seconds for run in results[name]], "% of a core")
        more = [100 * (two.cpu - one.cpu) / self.seconds for two, one in zip(results["composed"], results["alone"])]
        self.row(part, "more with the inset, run by run", more, "% of a core", "≤ +5 %")

    def snapshot(self):
        self.plug("1280x720")
        count = 2 if self.chosen.short else 20
        take = self.take("photos.mov", "--microphone", "talk", "--codec", "h264")
        take.until('"running"')
        time.sleep(1)
        ages, times, right = [], [], 0
        for number in range(count + 1):
            time.sleep(0.3 + time.monotonic_ns() % 100 / 1000)
            before = set(glob.glob(f"{self.folder}/photos*.jpg"))
            asked = take.press("p")
            while not (new := set(glob.glob(f"{self.folder}/photos*.jpg")) - before):
                if time.monotonic() > asked + 10:
                    raise RuntimeError("no photo came")
                time.sleep(0.0005)
            there = time.monotonic()
            # The first one is to warm up.
            if number:
                ages.append(asked - self.taken(new.pop()))
                times.append(there - asked)
                right += 0 <= ages[-1] + 0.001 and ages[-1] < 1 / RATE + 0.001
        take.stop()
        part = "photo while recording, 1280x720"
        self.millis(part, "age of its frame when it was asked for", ages, "≤ 50 ms")
        self.rows.append((part, "of the frame that was to be seen at that instant", f"{right} of {count}", "", "", "all"))
        print("  ".join(self.rows[-1]), flush=True)
        self.millis(part, "asking to the complete JPEG, which is what a page shows", times, "≤ 200 ms")

    def thumbnail(self):
        self.plug("640x360")
        ages = []
        for number in range(self.runs(7) + 1):
            for old in glob.glob(f"{os.environ['XDG_STATE_HOME']}/rushes/**/*.jpg", recursive=True):
                os.remove(old)
            take = self.take("thumbnail.mov", "--microphone", "none", "--codec", "h264")
            end = time.monotonic() + 30
            while not (found := glob.glob(f"{os.environ['XDG_STATE_HOME']}/rushes/**/*.jpg", recursive=True)):
                if time.monotonic() > end:
                    raise RuntimeError("no thumbnail came")
                time.sleep(0.0005)
            there = time.monotonic()
            large = os.path.join(self.folder, "thumbnail.png")
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", found[0], "-vf", "scale=640:360", large], check=True)
            take.until('"running"')
            take.stop()
            if number or self.chosen.short:
                ages.append(there - self.taken(large))
        self.millis("thumbnail of a recording", "taking of its frame to the complete JPEG", ages, "≤ 200 ms")

    def life(self):
        """Memory of all that a recording may do at a time."""
        self.plug("1920x1080")
        totals, own = [], []
        for _ in range(1 if self.chosen.short else min(3, self.runs(3))):
            take = self.take("life.mov", "--microphone", "talk", "--codec", "h264", "--standby", "--pre-roll", "10s",
                        "--preview")
            take.until('"waiting"')
            with PeakMemory(take.process.pid) as peak:
                time.sleep(3 if self.chosen.short else 13)
                take.press("r")
                take.until('"running"')
                time.sleep(1)
                subprocess.run([take.rushes, "control", take.events.last["id"], "snapshot", "20"], check=True, capture_output=True)
                take.until("20 photos", 120)
                time.sleep(2)
            with open(f"/proc/{take.process.pid}/status") as file:
                own.append(next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM")))
            totals.append(peak.megabytes)
            take.stop()
            for photo in glob.glob(f"{self.folder}/life*.jpg"):
                os.remove(photo)
        part = "memory, 1920x1080 H.264, preview, pre-roll 10 s, 20 photos"
        self.row(part, "peak of the recorder", own, "MB", "< 350 MB")
        self.row(part, "peak with the preview's window, pages that both use counted once", totals, "MB", "< 350 MB")

    def motion(self):
        # A still, of which the encoder makes little: what it takes changes by more from run to run than the watching costs.
        still = os.path.join(self.folder, "still.mp4")
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", f"smptehdbars=size=1280x720:rate={RATE}:duration=4", "-c:v",
             "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", still], check=True)
        self.plug("1280x720", "--clip", still)
        seconds = 3 if self.chosen.short else 15

        def share(*options):
            take = self.take("motion-%02d.mov", "--microphone", "none", "--codec", "h264", "--pre-roll", "1s", *options)
            take.until('"waiting"')
            time.sleep(2)
            begin = take.seconds()
            time.sleep(seconds)
            used = take.seconds() - begin
            if take.events.until('"running"', 0.1):
                raise RuntimeError("a still was taken for motion")
            take.stop()
            return 100 * used / seconds

        results = self.interleaved(self.runs(7), watched=lambda: share("--trigger", "motion"), waiting=lambda: share("--standby"))
        part = "trigger, 1280x720 at 30"
        self.row(part, "waiting for motion: CPU", results["watched"], "% of a core")
        self.row(part, "waiting for a start: CPU", results["waiting"], "% of a core")
        self.row(part, "what watching for motion costs, run by run", [a - b for a, b in zip(results["watched"], results["waiting"])],
                 "% of a core", "≤ 1 %")

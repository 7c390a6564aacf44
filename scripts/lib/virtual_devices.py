"""Virtual cameras and microphones: what virtual-camera, virtual-microphone and flash-and-tick share.

A camera is a PipeWire node that this process provides; a microphone is a module of a PulseAudio server (or of
pipewire-pulse) that this process feeds. Both are unplugged by ending the process.
"""

import array
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

try:
    import gi

    gi.require_version("Gst", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError):
    sys.exit("GStreamer's Python binding is missing; install python3-gi and gir1.2-gstreamer-1.0, or run scripts/setup")

SAMPLE_RATE = 48000

Gst.init(None)


def exit_on_signals():
    """Makes the signals that unplug an ordinary exit, so that modules are unloaded and folders removed.

    Only for a program whose main thread waits in Python: a camera's blocks inside GStreamer, where Python acts on no
    signal, so it keeps the default action. It leaves nothing behind.
    """
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))


def need_elements(*names_and_packages):
    """Ends with a sentence that names the package of the first element that is not installed."""
    for name, package in names_and_packages:
        if Gst.ElementFactory.find(name) is None:
            sys.exit(f"GStreamer has no {name}; install {package}, or run scripts/setup")


def make_source(description, **settings):
    """A pipeline from a fixed description, its element "source" given values that must not be parsed (paths)."""
    pipeline = Gst.parse_launch(description)
    for key, value in settings.items():
        pipeline.get_by_name("source").set_property(key, value)
    return pipeline


def raise_errors(pipeline):
    """Exits with the first error that a pipeline has reported, if any."""
    message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    if message:
        error, debug = message.parse_error()
        sys.exit(f"{error.message}\n{debug}")


class Camera:
    """A PipeWire camera that shows the frames pushed to it, frame n at n / rate seconds after the first.

    The frame rate is pinned in the caps: a camera without one makes PipeWire 0.3.65's clients crash. The sink blocks
    while nobody looks; the leaky queue and max-lateness let the camera run on, or else a recorder would first get all
    the missed frames at once.
    """

    def __init__(self, name, description, width, height, rate):
        need_elements(("pipewiresink", "gstreamer1.0-pipewire"), ("clocksync", "gstreamer1.0-plugins-base"))
        self.name, self.width, self.height, self.rate = name, width, height, rate
        self.frames = 0
        quoted = description.replace("\\", "").replace('"', "'")
        self.pipeline = Gst.parse_launch(
            f"appsrc name=source format=time block=true max-buffers=3"
            f" caps=video/x-raw,format=YUY2,width={width},height={height},framerate={rate}/1,"
            f"pixel-aspect-ratio=1/1,colorimetry=bt601,interlace-mode=progressive"
            f" ! clocksync ! queue leaky=downstream max-size-buffers=1 ! pipewiresink name=sink mode=provide sync=true max-lateness=20000000"
        )
        self.source = self.pipeline.get_by_name("source")
        sink = self.pipeline.get_by_name("sink")
        sink.set_property("client-name", name)
        properties, _ = Gst.Structure.from_string(
            f'props,media.class=Video/Source,node.name="{name}",node.description="{quoted}",media.role=Camera'
        )
        sink.set_property("stream-properties", properties)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.pipeline.use_clock(Gst.SystemClock.obtain())
        self.pipeline.set_state(Gst.State.PLAYING)

    def show(self, buffer):
        """Pushes one frame, YUY2; waits while three are ahead of the clock."""
        buffer.pts = self.frames * Gst.SECOND // self.rate
        buffer.duration = Gst.SECOND // self.rate
        self.frames += 1
        if self.source.emit("push-buffer", buffer) != Gst.FlowReturn.OK:
            raise_errors(self.pipeline)
            sys.exit("the camera's pipeline stopped")

    def is_listed(self):
        """Whether PipeWire's clients can see the camera by now."""
        listing = subprocess.run(["pw-cli", "ls", "Node"], capture_output=True, text=True, check=False).stdout
        return f'node.name = "{self.name}"' in listing


def announce_when(condition, words):
    """Prints the words once the condition holds, from a thread of its own: scripts wait for this line."""

    def wait():
        while not condition():
            time.sleep(0.02)
        print(words, flush=True)

    threading.Thread(target=wait, daemon=True).start()


def pactl(*arguments):
    """Runs pactl and returns what it printed; its failure ends this program."""
    try:
        result = subprocess.run(["pactl", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit("pactl is missing; install pulseaudio-utils, or run scripts/setup")
    if result.returncode != 0:
        sys.exit(f"pactl {' '.join(arguments)}: {result.stderr.strip()}")
    return result.stdout.strip()


def on_pulseaudio():
    """Whether the sound server is PulseAudio itself, not PipeWire speaking its protocol."""
    return "on PipeWire" not in pactl("info")


class Microphone:
    """A microphone on the sound server that PULSE_SERVER names (else the user's own): mono, 16 bit, 48 kHz.

    `through="pipe"` takes samples from a FIFO as they come, so it runs as fast as its feeder writes and is heard at
    once: for PulseAudio. pipewire-pulse reads such a pipe at its graph's pace, so there it is `through="sink"`: what is
    played to the sink NAME_speaker is what the microphone hears, on the system's clock.
    """

    def __init__(self, name, description, through):
        self.name, self.modules, self.folder = name, [], None
        quoted = description.replace("\\", "").replace('"', "").replace("'", "")
        properties = f"source_properties='device.description=\"{quoted}\"'"
        if through == "pipe":
            self.folder = tempfile.TemporaryDirectory(prefix="rushes-microphone.")
            self.path = os.path.join(self.folder.name, "samples")
            self._load("module-pipe-source", f"source_name={name}", f"file={self.path}", "format=s16le", "channels=1",
                       f"rate={SAMPLE_RATE}", properties)
        else:
            self.speaker = f"{name}_speaker"
            self._load("module-null-sink", f"sink_name={self.speaker}", "format=s16le", "channels=1",
                       f"rate={SAMPLE_RATE}", f"sink_properties='device.description=\"{quoted} (loop)\"'")
            self._load("module-remap-source", f"source_name={name}", f"master={self.speaker}.monitor", "channels=1",
                       properties)

    def _load(self, *arguments):
        self.modules.insert(0, pactl("load-module", *arguments))

    def unplug(self):
        """Unloads the modules, the youngest first; a server that is gone needs none of it."""
        for module in self.modules:
            subprocess.run(["pactl", "unload-module", module], capture_output=True, check=False)
        if self.folder:
            self.folder.cleanup()


def feed_pipe(path, start, speed, samples_at):
    """Writes samples to a pipe microphone for ever, at SAMPLE_RATE × speed per second of the system's clock.

    start: monotonic time (seconds) of sample 0. samples_at(first, count) returns an array of 16-bit samples.
    Written every 2 ms, so that the youngest sample is 0 to 2 ms old when the server reads it. The pipe holds 170 ms: a
    server that does not read for longer loses sound, as with a real microphone, and never gets old sound.
    """
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 16384)
    written = max(0, int((time.monotonic() - start) * SAMPLE_RATE * speed))
    while True:
        due = int((time.monotonic() - start) * SAMPLE_RATE * speed)
        if due > written:
            try:
                # At most a page at once: such a write is whole or does not happen (pipe(7)).
                count = min(due - written, 2048)
                os.write(pipe, samples_at(written, count).tobytes())
                written += count
            except BlockingIOError:
                written = due
        if due - written < 2048:
            time.sleep(0.002)


def read_sound(path):
    """Any sound file that GStreamer can decode as an array of 16-bit mono samples at SAMPLE_RATE."""
    pipeline = make_source(
        "filesrc name=source ! decodebin ! audioconvert ! audioresample"
        f" ! audio/x-raw,format=S16LE,channels=1,rate={SAMPLE_RATE} ! appsink name=out sync=false",
        location=path,
    )
    pipeline.set_state(Gst.State.PLAYING)
    samples, sink = array.array("h"), pipeline.get_by_name("out")
    while sample := sink.emit("pull-sample"):
        buffer = sample.get_buffer()
        samples.frombytes(buffer.extract_dup(0, buffer.get_size()))
    raise_errors(pipeline)
    pipeline.set_state(Gst.State.NULL)
    if not samples:
        sys.exit(f"{path}: no sound in it")
    return samples


def speak(words):
    """The words spoken by espeak-ng, as samples."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        try:
            subprocess.run(["espeak-ng", "-w", file.name, "--", words], check=True)
        except FileNotFoundError:
            sys.exit("espeak-ng is missing; install espeak-ng, or run scripts/setup")
        return read_sound(file.name)

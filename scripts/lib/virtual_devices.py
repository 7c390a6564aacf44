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
import termios
import threading
import time

try:
    import gi

    gi.require_version("Gst", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError):
    sys.exit("GStreamer's Python binding is missing; install python3-gi and gir1.2-gstreamer-1.0, or run scripts/setup")

from frame_numbers import BLOCK, blocks

SAMPLE_RATE = 48000

# A device does not wait for a compiler: where it is allowed (to root), ahead of others. Threads made later inherit it.
try:
    os.nice(-10)
except PermissionError:
    pass

# So are PipeWire's threads in here.
if os.path.exists("/usr/share/pipewire/client-rt.conf"):
    os.environ.setdefault("PIPEWIRE_CONFIG_NAME", "client-rt.conf")

Gst.init(None)


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


def run_from(pipeline, clock, origin):
    """Starts a pipeline whose time 0 is an instant of a clock (nanoseconds)."""
    pipeline.use_clock(clock)
    pipeline.set_start_time(Gst.CLOCK_TIME_NONE)
    pipeline.set_base_time(origin)
    pipeline.set_state(Gst.State.PLAYING)


def draw_number(buffer, number, width):
    """Draws a frame's number into its first lines, YUY2."""
    line = b"".join(bytes([235 if bright else 16, 128]) * BLOCK for bright in blocks(number))
    for row in range(BLOCK):
        buffer.fill(2 * width * row, line)


class Camera:
    """A PipeWire camera that shows the frames pushed to it, frame n at n / rate seconds after `origin`; raw, or as the
    compressed stream that many real cameras make.

    The frame rate is pinned in the caps: a camera without one makes PipeWire 0.3.65's clients crash. The sink blocks
    while nobody looks; the leaky queue and max-lateness let the camera run on, or else a recorder would first get all
    the missed frames at once. Without processing-deadline=0 each frame comes 20 ms late; so it is 0.3 to 0.5 ms.
    """

    RAW = ("video/x-raw,format=YUY2,width={width},height={height},framerate={rate}/1,pixel-aspect-ratio=1/1,"
           "colorimetry=bt601,interlace-mode=progressive")
    # What makes each stream, and what it is.
    STREAMS = {
        "raw": ("", RAW),
        "jpeg": ("jpegenc", "image/jpeg,width={width},height={height},framerate={rate}/1"),
        # A key frame each second, with its headers: a recorder can begin at any of them.
        "h264": ("videoconvert ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max={rate}"
                 " ! h264parse config-interval=-1",
                 "video/x-h264,stream-format=byte-stream,alignment=au,width={width},height={height},framerate={rate}/1"),
    }

    def __init__(self, name, description, width, height, rate, encoding="raw", numbered=False):
        """numbered: each frame shows its number, which lib/frame_numbers.py reads; raw only."""
        self.numbered = numbered
        need_elements(("pipewiresink", "gstreamer1.0-pipewire"), ("clocksync", "gstreamer1.0-plugins-base"))
        self.name, self.width, self.height, self.rate = name, width, height, rate
        self.frames = 0
        make, caps, raw = (text.format(width=width, height=height, rate=rate)
                           for text in (*self.STREAMS[encoding], self.RAW))
        self.encoder = make and Gst.parse_launch(
            f"appsrc name=raw format=time caps={raw} ! {make} ! {caps} ! appsink name=stream sync=false")
        if self.encoder:
            self.encoder.set_state(Gst.State.PLAYING)
        # Who counts frames does not want to count those that this process itself is too late for.
        held, lateness = (4, 150) if numbered else (1, 20)
        self.pipeline = Gst.parse_launch(
            f"appsrc name=source format=time block=true max-buffers=3 caps={caps}"
            f" ! clocksync ! queue leaky=downstream max-size-buffers={held}"
            f" ! pipewiresink name=sink mode=provide sync=true max-lateness={lateness}000000 processing-deadline=0"
        )
        sink = self.pipeline.get_by_name("sink")
        sink.set_property("client-name", name)
        quoted = description.replace("\\", "").replace('"', "'")
        properties, _ = Gst.Structure.from_string(
            f'props,media.class=Video/Source,node.name="{name}",node.description="{quoted}",media.role=Camera')
        sink.set_property("stream-properties", properties)
        self.source = self.pipeline.get_by_name("source")
        # Python acts on no signal while its main thread is inside GStreamer; the default action ends it at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # The system's monotonic clock, and an origin of our own: a microphone can then begin at the same instant.
        clock = Gst.SystemClock.obtain()
        self.origin = clock.get_time()
        run_from(self.pipeline, clock, self.origin)

    def show(self, buffer):
        """Pushes one frame, YUY2; waits while three are ahead of the clock."""
        buffer.pts = self.frames * Gst.SECOND // self.rate
        buffer.duration = Gst.SECOND // self.rate
        if self.numbered:
            draw_number(buffer, self.frames, self.width)
        self.frames += 1
        if self.encoder:
            buffer = self.encoded(buffer)
        if self.source.emit("push-buffer", buffer) != Gst.FlowReturn.OK:
            raise_errors(self.pipeline)
            sys.exit("the camera's pipeline stopped")

    def log(self, path):
        """Writes down each frame as it reaches the sink: number, when it was taken, when it came there, and how many of those
        before the sink has thrown away as too late."""
        file = open(path, "w", buffering=1)
        sink, clock = self.pipeline.get_by_name("sink"), Gst.SystemClock.obtain()

        def note(_, info):
            time_ = info.get_buffer().pts
            _, dropped = sink.get_property("stats").get_uint64("dropped")
            file.write(f"{round(time_ * self.rate / Gst.SECOND)} {self.origin + time_} {clock.get_time()} {dropped}\n")
            return Gst.PadProbeReturn.OK

        sink.get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, note)

    def encoded(self, raw):
        """The frame compressed, as long as all others: pipewiresink cuts off what is longer than its first buffer.

        Zeros may follow a frame in both streams, and real cameras put some there.
        """
        self.encoder.get_by_name("raw").emit("push-buffer", raw)
        sample = self.encoder.get_by_name("stream").emit("pull-sample")
        if not sample:
            raise_errors(self.encoder)
            sys.exit("the camera's encoder stopped")
        stream = sample.get_buffer()
        data = stream.extract_dup(0, stream.get_size())
        buffer = Gst.Buffer.new_wrapped(data.ljust(self.width * self.height // 4, b"\0"))
        buffer.pts, buffer.duration = raw.pts, raw.duration
        if stream.has_flags(Gst.BufferFlags.DELTA_UNIT):
            buffer.set_flags(Gst.BufferFlags.DELTA_UNIT)
        return buffer

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


def link(output, input):
    """Links two ports of PipeWire nodes that may have been made just now."""
    for _ in range(100):
        result = subprocess.run(["pw-link", output, input], capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return
        time.sleep(0.02)
    sys.exit(f"pw-link {output} {input}: {result.stderr.strip()}")


class Microphone:
    """A microphone on the sound server that PULSE_SERVER names (else the user's own): stereo, 32 bit, 48 kHz.

    It is a pipe that this process writes samples into. PulseAudio reads what there is: a sample reaches clients 0.2 ms
    after it was written. pipewire-pulse reads at its graph's pace: what it has left in the pipe is measured, and every
    sample is written that much before it is due. PulseAudio states a page, 4096 bytes, as such a source's latency and
    gives clients no smaller pieces: 11 ms in this format, but 43 ms in 16 bit mono.
    (A loop-back of a null sink would not do: its first audio comes up to two seconds late, and a player's timing
    wanders by 80 ms. Nor would a PipeWire node of our own: 0.3.65 drops all of its buffers but one in a quantum.)
    """

    def __init__(self, name, description, speed=1):
        """speed: how much faster than the system's clock the microphone's own runs; on PulseAudio only."""
        self.name, self.speed = name, speed
        if is_pipewire() and speed != 1:
            sys.exit("--speed needs PulseAudio; this sound server is PipeWire")
        self.folder = tempfile.TemporaryDirectory(prefix="rushes-microphone.")
        self.path = os.path.join(self.folder.name, "samples")
        pipe = pactl("load-module", "module-pipe-source", f"source_name={name}", f"file={self.path}",
                     "format=s32le", "channels=2", f"rate={SAMPLE_RATE}", described(description))
        self.modules = [pipe]
        if is_pipewire():
            # A pipe follows whatever drives the graph, a camera at 30 Hz even, and then loses most of its audio. Linked
            # with a null sink, which is a driver by itself, it is read at the pace of audio.
            self.modules.append(pactl("load-module", "module-null-sink", f"sink_name={name}_clock", "channels=2",
                                      f"rate={SAMPLE_RATE}"))
            for side in ("FL", "FR"):
                link(f"{name}:capture_{side}", f"{name}_clock:playback_{side}")
        # The server reads the pipe only while someone listens; without this the first audio would be old.
        self.listener = subprocess.Popen(["parec", f"--device={name}", "--raw", "--latency-msec=20"],
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def hear(self, frames_at, origin):
        """Hears audio for ever. Frame 0 belongs to the instant `origin` (nanoseconds of the monotonic clock).

        frames_at(first, count) returns an array of `count` frames as to_frames makes them.
        """
        feed_pipe(self.path, origin / 1e9, self.speed, frames_at)

    def unplug(self):
        """Takes it away; a server that is gone needs nothing done."""
        self.listener.kill()
        self.listener.wait()
        unload(self.modules)
        self.folder.cleanup()

    def is_listed(self):
        """Whether the sound server's clients can see the microphone by now."""
        listing = subprocess.run(["pactl", "list", "short", "sources"], capture_output=True, text=True, check=False)
        return f"\t{self.name}\t" in listing.stdout


class PipeWireTone(Microphone):
    """A tone on pipewire-pulse. The pipe is read at the graph's pace, so it is kept full, more than two seconds ahead: what
    is heard has no gap while this process is held up."""

    def hear(self, frames_at, origin):
        pipe = os.open(self.path, os.O_RDWR)
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
        written = 0
        while True:
            os.write(pipe, frames_at(written, 512).tobytes())
            written += 512


class PulseAudioTone:
    """A tone that PulseAudio makes by itself, in a null sink that the microphone hears: nothing holds it up but the server."""

    def __init__(self, name, description, hertz):
        self.name = name
        loop = f"{name}_loop"
        # module-sine-source would be shorter, but takes no name for people.
        self.modules = [
            pactl("load-module", "module-null-sink", f"sink_name={loop}", f"rate={SAMPLE_RATE}", "channels=1",
                  "norewinds=1"),
            pactl("load-module", "module-sine", f"sink={loop}", f"frequency={hertz:.0f}"),
            pactl("load-module", "module-remap-source", f"source_name={name}", f"master={loop}.monitor",
                  described(description)),
        ]

    def hear(self, frames_at, origin):
        """The server does."""

    def unplug(self):
        """Takes it away; a server that is gone needs nothing done."""
        unload(self.modules)

    is_listed = Microphone.is_listed


def tone_microphone(name, description, hertz):
    """A microphone that hears a tone without a gap, whenever it began."""
    return PipeWireTone(name, description) if is_pipewire() else PulseAudioTone(name, description, hertz)


def unload(modules):
    """Takes modules out of the server, the last one first, whether or not it still runs."""
    for module in reversed(modules):
        subprocess.run(["pactl", "unload-module", module], capture_output=True, check=False)


def is_pipewire():
    """Whether the sound server is pipewire-pulse."""
    return "on PipeWire" in pactl("info")


def described(description):
    """A module's argument that gives its source a name for people."""
    quoted = description.replace("\\", "").replace('"', "").replace("'", "")
    return f"source_properties='device.description=\"{quoted}\"'"


def run_microphones(heard, origin, words):
    """Lets microphones hear until a signal comes, then unplugs them; prints the words when clients can see all.

    For the main thread, which only waits: GStreamer works in threads of its own, where Python acts on no signal.

    heard: each microphone with what it hears, as `Microphone.hear` takes it.
    """

    def hear(microphone, frames_at):
        try:
            microphone.hear(frames_at, origin)
        except BaseException as error:  # SystemExit too: it would end only this thread
            print(error, file=sys.stderr)
            os.kill(os.getpid(), signal.SIGTERM)

    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: None)
    for one in heard:
        threading.Thread(target=hear, args=one, daemon=True).start()
    announce_when(lambda: all(microphone.is_listed() for microphone, _ in heard), words)
    signal.pause()
    for microphone, _ in heard:
        microphone.unplug()
    os._exit(0)  # without waiting for threads that may be inside GStreamer


def to_frames(samples):
    """Mono samples of 16 bit as a microphone's frames: each one twice, 32 bit, 6 dB lower as mono clients get the sum."""
    frames = array.array("i", bytes(8 * len(samples)))
    frames[0::2] = frames[1::2] = array.array("i", (sample << 15 for sample in samples))
    return frames


def feed_pipe(path, origin, speed, frames_at):
    """Writes the frames that have become due (origin: seconds) into a pipe every 2 ms.

    The pipe holds 170 ms: a server that does not read for longer loses audio, as with a real microphone.
    """
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 65536)
    page = 4096 // 8  # frames; a write of at most a page is whole or does not happen (pipe(7))

    # Silence, until the server has begun to read it; what is left is how far ahead of its time a frame must be written.
    left = os.write(pipe, bytes(4 * 4096))
    while pending(pipe) == left:
        time.sleep(0.001)
    time.sleep(0.002)
    lead = pending(pipe)
    origin -= lead / 8 / SAMPLE_RATE

    level = PipeLevel(lead)
    written = int((time.monotonic() - origin) * SAMPLE_RATE * speed)
    while True:
        due = int((time.monotonic() - origin) * SAMPLE_RATE * speed)
        excess = level.excess(pending(pipe))
        # What waits in the pipe for longer than was reckoned with is late: so much is left out, or heard as silence.
        written += max(0, excess)
        try:
            os.write(pipe, bytes(8 * min(page, max(0, -excess))))
            while written < due:
                count = min(due - written, page)
                os.write(pipe, frames_at(written, count).tobytes())
                written += count
        except BlockingIOError:
            written = due
        time.sleep(0.002)


class PipeLevel:
    """How much more a pipe holds than it is to hold, when its reader has just taken what it wanted.

    A writer that is late once lets the reader go without; from then on the pipe holds that much more, and everything in it
    comes late. Believed is what half a second shows, in most of five parts: a quantum of PipeWire's is shorter than one.
    """

    def __init__(self, lead):
        self.lead, self.lowest, self.minima, self.began = lead, None, [], time.monotonic()

    def excess(self, level):
        """In frames; 0 for less than 2 ms. Call with the bytes in the pipe, before each write."""
        self.lowest = level if self.lowest is None else min(self.lowest, level)
        if time.monotonic() < self.began + 0.1:
            return 0
        self.minima.append(self.lowest)
        self.lowest, self.began = None, time.monotonic()
        if len(self.minima) < 5:
            return 0
        usual = sorted(self.minima)[2]
        self.minima = []
        excess = (usual - self.lead) // 8
        return excess if abs(excess) > SAMPLE_RATE // 500 else 0


def pending(pipe):
    """The bytes in a pipe."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def read_sound(path):
    """Any audio file that GStreamer can decode as an array of 16-bit mono samples at SAMPLE_RATE."""
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
        sys.exit(f"{path}: no audio in it")
    return samples


def speak(words):
    """The words spoken by espeak-ng, as samples."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        try:
            subprocess.run(["espeak-ng", "-w", file.name, "--", words], check=True)
        except FileNotFoundError:
            sys.exit("espeak-ng is missing; install espeak-ng, or run scripts/setup")
        return read_sound(file.name)

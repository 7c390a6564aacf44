#!/usr/bin/python3
"""Records "flash" and "tick" raw, as a reference for scripts/flash-and-tick: how far apart a capture that does nothing
but keep each source's own timestamps finds them.

  scripts/lib/capture-sync.py [SECONDS] [skew|re-timestamp] [SINCE]    prints audio minus video, ms, of each flash

SINCE is what flash-and-tick prints: then also how late each is after the instant at which it was due.
"""

import array
import statistics
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

Gst.init(None)
seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
method = sys.argv[2] if len(sys.argv) > 2 else "skew"
flashes, ticks, bright = [], [], [True]
# One system clock for both; two pipelines with one origin, so that neither waits for the other.
clock = Gst.SystemClock.obtain()
origin = clock.get_time()
pipelines = [
    Gst.parse_launch("pipewiresrc target-object=flash do-timestamp=true ! video/x-raw,format=YUY2"
                     " ! appsink name=out emit-signals=true sync=false"),
    Gst.parse_launch("pulsesrc device=tick provide-clock=false"
                     f" do-timestamp={'false' if method == 'skew' else 'true'}"
                     " ! audio/x-raw,format=S16LE,rate=48000,channels=1 ! appsink name=out emit-signals=true sync=false"),
]


def running_time(sample):
    return sample.get_segment().to_running_time(Gst.Format.TIME, sample.get_buffer().pts) / 1e9


def video(sink):
    sample = sink.emit("pull-sample")
    buffer = sample.get_buffer()
    white = buffer.extract_dup(buffer.get_size() // 4 * 2, 1)[0] > 128
    if white and not bright[0]:
        flashes.append(running_time(sample))
    bright[0] = white
    return Gst.FlowReturn.OK


def audio(sink):
    sample = sink.emit("pull-sample")
    begin = running_time(sample)
    buffer = sample.get_buffer()
    for n, value in enumerate(array.array("h", buffer.extract_dup(0, buffer.get_size()))):
        if abs(value) > 3000 and (not ticks or begin + n / 48000 - ticks[-1] > 0.5):
            ticks.append(begin + n / 48000)
    return Gst.FlowReturn.OK


for pipeline, use in zip(pipelines, (video, audio)):
    pipeline.get_by_name("out").connect("new-sample", use)
    pipeline.use_clock(clock)
    pipeline.set_start_time(Gst.CLOCK_TIME_NONE)
    pipeline.set_base_time(origin)
    pipeline.set_state(Gst.State.PLAYING)
time.sleep(seconds)
for pipeline in pipelines:
    pipeline.set_state(Gst.State.NULL)
offsets = []
for flash in flashes:
    tick = min(ticks, key=lambda t: abs(t - flash), default=None)
    if tick is not None and abs(tick - flash) < 0.5:
        offsets.append(round(1000 * (tick - flash), 1))
if len(sys.argv) > 3:
    since = float(sys.argv[3])
    for name, times in (("flash", flashes), ("tick", ticks)):
        late = [round(1000 * ((t + origin / 1e9 - since + 0.5) % 1 - 0.5), 1) for t in times]
        print(f"{name}: {late} ms after it was due")
print(f"{method}: median {statistics.median(offsets):.1f} ms", offsets)

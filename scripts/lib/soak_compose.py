"""Two cameras in one movie, each with its frames' numbers in the pixels, for scripts/soak."""

import bisect
import glob
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from frame_numbers import numbers

HERE = os.path.dirname(os.path.realpath(__file__))
MAIN, INSET = ("slides", "1280x720", 30), ("face", "640x480", 24)
# The inset is as large as its frames, so that its numbers stand where no scaling blurs them.
PLACE = "x=640,y=240,width=640,height=480"
INSIDE = "RUSHES_SOAK_HAS_SERVERS"


def begin_with_servers():
    """Begins anew with servers of its own, unless it has them."""
    if INSIDE not in os.environ:
        script = os.path.join(os.path.dirname(HERE), "with-pipewire")
        os.execve(script, [script, *sys.argv], {**os.environ, INSIDE: "1"})


def keep_state_in(folder):
    """Lets the recorder's journal lie in a folder."""
    os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
    os.mkdir(os.environ["XDG_STATE_HOME"])


def compose(chosen):
    """Records both for some seconds; returns 1 where a frame is missing, or beside one of another time."""
    begin_with_servers()
    seconds = chosen.count or 300
    cameras = []
    try:
        with tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder:
            keep_state_in(folder)
            for one in (MAIN, INSET):
                cameras.append(camera(*one, log=log(folder, one[0])))
            faults = judged(pairs, chosen, os.path.join(folder, "pairs"), seconds)
            faults += judged(changes, chosen, os.path.join(folder, "changes"), min(seconds, 60))
    finally:
        for process in cameras:
            process.terminate()
            process.wait()
    for fault in faults:
        print(fault)
    return bool(faults)


class HeldUp(Exception):
    """A busy machine held a camera, which is a program, up for three seconds: it was lost, as the recorder said."""


def judged(recorded, chosen, path, seconds):
    """What is wrong with a recording; it is made again where a camera was held up."""
    for attempt in range(3):
        try:
            return recorded(chosen, f"{path}{attempt or ''}.mov", seconds)
        except HeldUp as reason:
            print(f"the recording is made again: {reason}")
    return ["the machine is too busy for virtual cameras"]


def log(folder, name):
    return os.path.join(folder, f"{name}.log")


def sent(log_):
    """When each frame was taken that a camera gave to PipeWire, in seconds of the monotonic clock, by its number."""
    return {row[0]: row[1] / 1e9 for row in given(log_)}


def held_up(log_):
    """How many seconds after it was taken the camera had each of these frames, by its number; 0 where it was in time."""
    return {row[0]: max(0, row[2] - row[1]) / 1e9 for row in given(log_)}


def given(log_):
    """A camera's lines of the frames that it gave to PipeWire."""
    with open(log_) as lines:
        rows = [[int(word) for word in line.split()] for line in lines if line.endswith("\n")]
    # What the sink throws away as too late is counted with the next frame.
    return [row for row, next_ in zip(rows, [*rows[1:], rows[-1]]) if next_[3] == row[3]]


def camera(name, size, rate, log=None):
    script = os.path.join(os.path.dirname(HERE), "virtual-camera")
    for _ in range(5):
        process = subprocess.Popen(
            [script, name, "--pattern", "ball", "--size", size, "--rate", str(rate), "--numbered", *(["--log", log] if log else [])],
            stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            if "plugged in" in line:
                return process
        # pipewiresink (0.3.65) may write into a buffer that PipeWire takes away from a camera that has just come.
        if process.wait() != -signal.SIGSEGV:
            break
        print(f"the virtual camera {name} itself crashed, and is plugged in again")
    sys.exit(f"the camera {name} ended with {process.returncode}")


def recording(chosen, path, seconds, layout, *options):
    return subprocess.Popen(
        [chosen.rushes, "record", path, "--json", "--progress", "none", "--camera", MAIN[0], "--inset", INSET[0], "--layout",
         layout, "--microphone", "test", "--codec", chosen.codec or "h264", *options,
         *(["--duration", str(seconds)] if seconds else [])],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def stood_still(log_, began):
    """The longest time in seconds within which the camera gave PipeWire nothing, since an instant of the monotonic clock."""
    came = [row[2] / 1e9 for row in given(log_) if row[2] / 1e9 >= began]
    return max((later - earlier for earlier, later in zip(came, came[1:])), default=0)


def ended(chosen, process, seconds, cameras, began):
    """The last event's numbers, and what is wrong with them."""
    events = [json.loads(line) for line in process.stdout]
    still = max(stood_still(log_, began) for log_ in cameras)
    if process.wait() == 3 and chosen.may_drop and still > 2.9:
        raise HeldUp(f"a camera gave nothing for {still:.1f} s")
    if process.returncode != 0 or not events:
        return None, [f"the recorder ended with {process.returncode}; the cameras gave nothing for {still:.1f} s at most"]
    state, wanted = events[-1]["content-state"], seconds * MAIN[2]
    dropped = state["framesDropped"]
    faults = [f"{dropped} frames were dropped"] if dropped and not chosen.may_drop else []
    # Those that a camera's own movie lacks are counted too.
    if not wanted - dropped - 1 <= state["framesWritten"] <= wanted + 1:
        faults.append(f"{state['framesWritten']} frames, not {wanted}")
    return state, faults


def pairs(chosen, path, seconds):
    logs = [log(os.path.dirname(path), one[0]) for one in (MAIN, INSET)]
    began = time.monotonic()
    state, faults = ended(chosen, recording(chosen, path, seconds, PLACE, "--also-separate"), seconds, logs, began)
    if state is None:
        return faults
    main, inset = numbers(path), numbers(path, 640, 240)
    if None in main or None in inset:
        return faults + [f"{main.count(None)} main and {inset.count(None)} inset frames show no number"]
    given = sent(logs[0])
    # What a camera was too late for itself nobody could record.
    lost = [number for number in given if main[0] < number < main[-1] and number not in set(main)]
    never = sum(number not in given for number in range(main[0], main[-1]))
    steps = sum(later < earlier for earlier, later in zip(inset, inset[1:]))
    doubled = sum(later <= earlier for earlier, later in zip(main, main[1:]))
    print(f"{len(main)} frames in {seconds} s, {len(lost)} missing that the camera gave, {never} that it was too late for itself, "
          f"{state['framesDropped']} counted as dropped")
    if len(lost) > state["framesDropped"] or (lost and not chosen.may_drop) or steps or doubled:
        faults.append(f"{len(lost)} main frames are missing ({lost[:20]}), {doubled} are doubled, the inset goes back {steps} times")
    faults += separate(chosen, path, main, inset)
    return faults + simultaneous(chosen, main, inset, logs)


def simultaneous(chosen, main, inset, cameras):
    """How far each inset frame is from the newest that was taken before its main frame, by the cameras' own clock. Of a frame that its
    camera was late with nobody can tell when it was taken, between then and when it came."""
    (given, held), (given_inset, held_inset) = ((sent(log_), held_up(log_)) for log_ in cameras)
    order = sorted(given_inset)
    place = {number: index for index, number in enumerate(order)}
    taken = [given_inset[number] for number in order]
    came = list(itertools.accumulate((given_inset[number] + held_inset[number] for number in order), max))
    apart = {}
    for first, second in zip(main, inset):
        if first in given and second in place:
            earliest = bisect.bisect_right(came, given[first] + 0.0005) - 1
            latest = bisect.bisect_right(taken, given[first] + held[first] + 0.0005) - 1
            off = max(0, earliest - place[second]) + min(0, latest - place[second])
            apart[off] = apart.get(off, 0) + 1
    print("the inset's frame is so many behind the newest of its main frame's time: "
          + ", ".join(f"{off}: {count}" for off, count in sorted(apart.items())))
    far = sum(count for off, count in apart.items() if abs(off) > 1)
    # On a busy machine an inset's frame may come when its main frame has been shown; most do not.
    return [f"{far} inset frames are not of their main frames' time"] if far > (len(main) // 5 if chosen.may_drop else 0) else []


def times(path):
    lines = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path],
        capture_output=True, text=True, check=True).stdout.split()
    return [float(line.strip(",")) for line in lines]


def audio(path):
    return subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "md5", "-"],
                          capture_output=True, check=True).stdout


def camera_movies(path):
    """Each camera's own movie by its name; None where there is none."""
    own = sorted(glob.glob(glob.escape(path[:-4]) + " – *.mov"))
    return {name: next((file for file in own if name in os.path.basename(file)), None) for name in (MAIN[0], INSET[0])}


def separate(chosen, path, main, inset):
    """Whether the cameras' own movies show at each moment what the composed one shows, with the same audio."""
    movies = camera_movies(path)
    if None in movies.values():
        return [f"of the cameras' own movies there are only {movies}"]
    faults = [f"{file} has other audio" for file in movies.values() if audio(file) != audio(path)]
    for name, shown in ((MAIN[0], main), (INSET[0], inset)):
        numbers_, begins, place, same, wrong = numbers(movies[name]), times(movies[name]), 0, 0, 0
        for time_, number in zip(times(path), shown):
            # Half a millisecond, as files count in fractions of their own.
            while place + 1 < len(begins) and begins[place + 1] <= time_ + 0.0005:
                place += 1
            same += numbers_[place] == number
            # A frame that came late on a busy machine is in its own movie, and was not waited for in the composed one.
            wrong += not 0 <= numbers_[place] - number <= 1
        print(f"{name}'s own movie has {len(numbers_)} frames, and shows what the composed one does at {same} of "
              f"{len(shown)} moments")
        if wrong > (len(shown) // 5 if chosen.may_drop else 0):
            faults.append(f"{name}'s own movie shows other frames at {wrong} moments")
    return faults


def changes(chosen, path, seconds):
    """Swaps and moves all the while, a hundred a minute."""
    layouts = ["top-left,radius=24,border=2", "bottom-right,size=40%", "side-by-side", "stacked", "main-only", "inset-only", "grid",
               "x=10%,y=10%,width=33%,shadow"]
    began = time.monotonic()
    process = recording(chosen, path, seconds, "bottom-right")
    first, done, random_ = json.loads(process.stdout.readline()), 0, random.Random(chosen.seed)
    until = time.monotonic() + seconds - 2
    while time.monotonic() < until:
        wish = ["swap"] if random_.random() < 0.5 else ["layout", random_.choice(layouts)]
        done += subprocess.run([chosen.rushes, "control", first["id"], *wish], check=False).returncode == 0
        time.sleep(0.6)
    logs = [log(os.path.dirname(path), one[0]) for one in (MAIN, INSET)]
    state, faults = ended(chosen, process, seconds, logs, began)
    if state is not None:
        print(f"{done} changes of the layout in {seconds} s, {state['framesWritten']} frames, {state['framesDropped']} dropped")
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-xerror", "-i", path, "-fps_mode", "passthrough", "-enc_time_base", "-1",
                        "-f", "null", "-"], check=True)
    return faults

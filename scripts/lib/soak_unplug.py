"""Cameras that are unplugged and plugged in again while they are recorded together, for scripts/soak."""

import json
import os
import queue
import signal
import statistics
import subprocess
import tempfile
import threading
import time

from frame_numbers import numbers
from soak_compose import (INSET, MAIN, PLACE, audio, begin_with_servers, camera, camera_movies, held_up, keep_state_in, recording,
                          sent, times)


class Life:
    """A camera from its plugging in to its unplugging."""

    def __init__(self, one, folder, number):
        self.rate, self.log = one[2], os.path.join(folder, f"{one[0]}-{number}.log")
        self.process = camera(*one, log=self.log)
        self.plugged = time.monotonic()

    def unplug(self):
        self.process.terminate()
        self.process.wait()

    def has_crashed(self):
        """pipewiresink (0.3.65) may write into a buffer that PipeWire takes away as somebody connects to a camera that has just come."""
        return self.process.poll() is not None

    def frames(self):
        """When each frame was taken that PipeWire was given, in seconds of the monotonic clock, by its number."""
        return sent(self.log)

    def held_up(self):
        return held_up(self.log)


def unplug(chosen):
    """Unplugs either camera in turn; returns 1 where anything is lost of what the cameras gave, or lies elsewhere in time."""
    begin_with_servers()
    with tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder:
        keep_state_in(folder)
        path = os.path.join(folder, "take.mov")
        lives = {one[0]: [Life(one, folder, 0)] for one in (MAIN, INSET)}
        try:
            state, faults = plugged(chosen, path, folder, lives)
        finally:
            for life in lives.values():
                life[-1].unplug()
        if state is not None:
            faults += judge(chosen, path, lives, state)
    for fault in faults:
        print(fault)
    return bool(faults)


class Events:
    """What a recorder tells, line by line, each waited for with a limit."""

    def __init__(self, process):
        self.lines, self.last = queue.Queue(), None
        threading.Thread(target=self.read, args=[process.stdout], daemon=True).start()

    def read(self, stdout):
        for line in stdout:
            self.lines.put(line)
        self.lines.put(None)

    def until(self, words, seconds=120, camera=None):
        """Reads on to an event with these words; False if none comes, or the camera that it is waited for crashes."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=0.2)
            except queue.Empty:
                if time.monotonic() < end and not (camera and camera.has_crashed()):
                    continue
                return False
            if line is None:
                return False
            self.last = json.loads(line)
            if words in line:
                return True


def plugged(chosen, path, folder, lives):
    process = recording(chosen, path, None, PLACE, "--also-separate")
    events, faults, count = Events(process), [], chosen.count or 20
    if not events.until('"running"'):
        process.kill()
        return None, ["the recording did not begin"]
    for turn in range(count):
        one = (INSET, MAIN)[turn % 2]
        time.sleep(1.5)
        lives[one[0]][-1].unplug()
        if not events.until(f"{one[0]} is lost"):
            faults.append(f"unplugging {turn + 1}: the loss of {one[0]} was not told")
            break
        # Longer and shorter than what a camera may say nothing.
        time.sleep((0, 1, 4)[turn % 3])
        lives[one[0]].append(Life(one, folder, turn + 1))
        for again in range(5):
            is_back = events.until(f"{one[0]} is back", camera=lives[one[0]][-1])
            if is_back or not lives[one[0]][-1].has_crashed():
                break
            print(f"the virtual camera {one[0]} itself crashed, and is plugged in again")
            lives[one[0]][-1] = Life(one, folder, f"{turn + 1}-{again}")
        if not is_back:
            faults.append(f"unplugging {turn + 1}: {one[0]} was not taken up again")
            break
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    events.until("never told", seconds=120)
    # Something is missing, however little.
    if process.wait() != 3 or not events.last:
        return None, faults + [f"the recorder ended with {process.returncode}"]
    return events.last["content-state"], faults


def judge(chosen, path, lives, state):
    faults, own = [], camera_movies(path)
    if None in own.values():
        return [f"of the cameras' own movies there are only {own}"]
    for file in (path, *own.values()):
        decoded = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-xerror", "-i", file, "-fps_mode", "passthrough",
                                  "-enc_time_base", "-1", "-f", "null", "-"], capture_output=True, text=True, check=False)
        if decoded.returncode != 0 or decoded.stderr:
            faults.append(f"{file} does not decode: {decoded.stderr[:300]}")
        if audio(file) != audio(path):
            faults.append(f"{file} has other audio")
    composed = times(path)
    gap, at = max((later - earlier, earlier) for earlier, later in zip(composed, composed[1:]))
    print(f"{len(composed)} composed frames in {composed[-1]:.1f} s, {state['framesDropped']} counted as dropped, never "
          f"more than {1000 * gap:.0f} ms without one (at {at:.1f} s)")
    # A busy machine may hold up the recorder or the camera itself.
    if gap > (10 if chosen.may_drop else 0.5):
        faults.append("the composed movie stands still")
    shown = {name: list(zip(times(own[name]), numbers(own[name]))) for name in lives}
    # The movie's time zero on the cameras' clock: what the main camera's first frames say, of which it was not late itself.
    first, held = lives[MAIN[0]][0].frames(), lives[MAIN[0]][0].held_up()
    zeros = [(held[number] > 0, first[number] - at) for at, number in shown[MAIN[0]] if number in first][:40]
    zero = statistics.median([zero for late, zero in zeros if not late] or [zero for _, zero in zeros])
    lost = 0
    for name, own_lives in lives.items():
        lost += own_movie(chosen, name, own_lives, shown[name], zero, faults)
    if lost > state["framesDropped"] and not chosen.may_drop:
        faults.append(f"{lost} frames that the cameras gave are in no movie, {state['framesDropped']} were counted")
    together(chosen, path, shown, faults)
    return faults


def own_movie(chosen, name, lives, shown, zero, faults):
    """Where each frame of a camera's own movie lies; returns how many are missing of those that the camera gave."""
    found, apart, first, before, missing = [[] for _ in lives], [], [], None, 0
    given, held = [life.frames() for life in lives], [life.held_up() for life in lives]
    for at, number in shown:
        # A camera that is away goes on with its last frame.
        if number == before:
            continue
        before = number
        off, life = min(((zero + at - frames[number], index) for index, frames in enumerate(given) if number in frames),
                        key=lambda pair: abs(pair[0]), default=(None, None))
        if off is None:
            faults.append(f"{name}'s own movie shows {number} at {at:.3f} s, which no camera gave")
            continue
        found[life].append(number)
        # A frame that the camera itself was late with may lie where it came.
        off -= min(max(0, off), held[life][number])
        # Times of arrival are all that PipeWire tells, and it takes half a second to learn from them when a camera takes its frames.
        (apart if len(found[life]) > lives[0].rate / 2 else first).append(off * lives[0].rate)
    taken_up = []
    for index, (life, numbers_) in enumerate(zip(lives, found)):
        if not numbers_:
            faults.append(f"{name} was plugged in {len(lives)} times, and is not in its movie after time {index + 1}")
            continue
        if numbers_ != sorted(set(numbers_)):
            faults.append(f"{name}'s frames are not in order: {numbers_}")
        missing += sum(number not in numbers_ for number in given[index] if numbers_[0] < number < numbers_[-1])
        if index > 0:
            taken_up.append(given[index][numbers_[0]] - life.plugged)
    # A camera that gets no turn gives no frame that could lie anywhere.
    apart, first = apart or [0], first or [0]
    # They are stamped as they arrive, and a frame that a busy machine held up for longer than its place is wide lies where it came.
    late = sum(off > 1 for off in apart)
    print(f"{name}: plugged in {len(lives)} times, its own movie's frames lie {min(apart):+.2f} to {max(apart):+.2f} of a frame "
          f"from their time, {late} of {len(apart)} more than one, the first ones {min(first):+.2f} to {max(first):+.2f}; {missing} are "
          f"missing; taken up again after {', '.join(f'{seconds:.1f}' for seconds in taken_up)} s")
    # On a machine that is busy with other things many are, those of the main camera too, by which all are measured; half of them tell.
    is_late = statistics.median(apart) > 0.5 if chosen.may_drop else late > len(apart) / 100 or max(map(abs, first)) > lives[0].rate / 4
    is_early = statistics.median(apart) < -0.5 if chosen.may_drop else min(apart) < -1
    if is_late or is_early:
        faults.append(f"{name}'s own movie is not in step")
    if any(seconds > (30 if chosen.may_drop else 3) for seconds in taken_up):
        faults.append(f"{name} was taken up late")
    return missing


def together(chosen, path, shown, faults):
    """Whether the composed movie shows what the cameras' own do, wherever both can be read."""
    # Times are rounded to the tracks' time scales. On a busy machine a frame that came late is in its own movie and was not waited
    # for in the composed one, and those that come at once lie a thousandth apart in their own.
    early = 0.006 if chosen.may_drop else 0.001
    for one, place in ((MAIN, (0, 0)), (INSET, (640, 240))):
        name, late = one[0], (3 if chosen.may_drop else 1) / one[2] + 0.001
        own, same, wrong, at = shown[name], 0, 0, 0
        for time_, number in zip(times(path), numbers(path, *place)):
            while at + 1 < len(own) and own[at + 1][0] <= time_ + early:
                at += 1
            first = at
            while first > 0 and own[first][0] > time_ - late:
                first -= 1
            near = [number_ for _, number_ in own[first:at + 1]]
            if number is None or None in near:
                continue
            same += number in near
            wrong += number not in near
        print(f"{name} is shown as in its own movie at {same} moments, otherwise at {wrong}")
        if wrong:
            faults.append(f"the composed movie shows other frames of {name} at {wrong} moments")

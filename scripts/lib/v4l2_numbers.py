"""Two of the kernel's virtual cameras in one movie, judged by what vivid writes into each frame: " 00:00:01:234 25", the time since it
began and the frame's number. Its letters are cells of 8 by 16 pixels, the first at 16, 16."""

import json
import os
import re
import statistics
import subprocess

CELL, LEFT, TOP = (8, 16), 16, 16
# " hh:mm:ss:mmm " and up to five digits.
TEXT, LONGEST = 14, 5


def cells(path, left=0, top=0):
    """Of each frame the cells behind the time: a tuple of bright and dark for each."""
    width = CELL[0] * LONGEST
    raw = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-vf",
         f"crop={width}:{CELL[1]}:{left + LEFT + CELL[0] * TEXT}:{top + TOP},format=gray", "-fps_mode", "passthrough", "-f",
         "rawvideo", "-"], capture_output=True, check=True).stdout
    size = width * CELL[1]
    for begin in range(0, len(raw), size):
        frame = raw[begin:begin + size]
        yield [tuple(frame[row * width + column * CELL[0] + pixel] > 128 for row in range(CELL[1]) for pixel in range(CELL[0]))
               for column in range(LONGEST)]


def is_written(cell):
    """Behind the text the bars of the pattern go on, and each cell is all bright or all dark."""
    return 8 <= sum(cell) <= 100


def unlike(one, other):
    return sum(first != second for first, second in zip(one, other))


class Digits:
    """Learns what digits look like from frames that are counted one by one: the last digit's ten shapes follow each other, and where
    the one before it changes is nought."""

    def __init__(self, frames):
        self.shapes = []
        frames = list(frames)
        places = [next((index for index, cell in enumerate(frame) if not is_written(cell)), LONGEST) - 1 for frame in frames]
        last = [frame[place] for frame, place in zip(frames, places)]
        for at in range(1, len(frames) - 9):
            place, tens = places[at], places[at] - 1
            if places[at - 1] < place or (tens >= 0 and unlike(frames[at - 1][tens], frames[at][tens]) > 12):
                self.shapes = last[at:at + 10]
                break

    def number(self, frame):
        """None where something cannot be read."""
        digits = []
        for cell in frame:
            if not is_written(cell):
                break
            best = min(range(len(self.shapes)), key=lambda digit: unlike(cell, self.shapes[digit]), default=None)
            if best is None or unlike(cell, self.shapes[best]) > 12:
                return None
            digits.append(str(best))
        return int("".join(digits)) if digits else None


def times(path):
    lines = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
                            path], capture_output=True, text=True, check=True).stdout.split()
    return [float(line.strip(",")) for line in lines]


def own_movies(folder, name):
    # The second of one name has a number behind it.
    found = [file for file in os.listdir(folder) if file.startswith(f"{name} – ") and file.endswith(".mov")]
    return [os.path.join(folder, file) for file in sorted(found, key=len)]


def together(folder, expect):
    """Judges two.mov, unplugged.mov and nobus.* of lib/take-v4l2."""
    movie, own = os.path.join(folder, "two.mov"), own_movies(folder, "two")
    expect(len(own) == 2, f"two cameras have movies of their own: {[os.path.basename(file) for file in own]}")
    digits = Digits(cells(own[0]))
    expect(len(digits.shapes) == 10, "the frames' numbers can be read")
    main, inset = ([digits.number(cell) for cell in cells(movie, *place)] for place in ((0, 0), (320, 180)))
    expect(None not in main + inset and len(main) >= 39, f"each of {len(main)} composed frames shows both numbers")
    if None in main + inset or not main:
        return
    expect(main == list(range(main[0], main[0] + len(main))), f"no main frame is missing: {main}")
    apart = [second - first for first, second in zip(main, inset)]
    expect(max(apart) - min(apart) <= 1, f"the inset's frames are of the same time: {min(apart)} to {max(apart)} apart")
    for file, shown in zip(own, (main, inset)):
        numbers = [digits.number(cell) for cell in cells(file)]
        expect(numbers == list(range(numbers[0], numbers[0] + len(numbers))), f"{os.path.basename(file)} has each frame: {numbers}")
        begins, place, near = times(file), 0, 0
        for time, number in zip(times(movie), shown):
            while place + 1 < len(begins) and begins[place + 1] <= time + 0.0005:
                place += 1
            # Both cameras take their frames at the same moment, so which of two is the newest is a matter of microseconds.
            near += abs(numbers[place] - number) <= 1
        expect(near == len(shown), f"it shows what the composed movie does, or the next, at {near} of {len(shown)} moments")
    unplugged(folder, digits, expect)
    shots(folder, digits, expect)
    with open(os.path.join(folder, "nobus.txt")) as text, open(os.path.join(folder, "nobus.status")) as status:
        said = text.read().strip()
        expect(status.read().strip() == "1" and "USB bus" in said and "320" in said, f"a driver that refuses to begin: {said}")
    expect(not os.path.exists(os.path.join(folder, "nobus.mov")), "then no file is made")


def unplugged(folder, digits, expect):
    with open(os.path.join(folder, "unplugged.txt")) as text, open(os.path.join(folder, "unplugged.status")) as status:
        said = text.read()
        expect("is lost" in said and "is back" in said and status.read().strip() == "3", f"a camera that is unplugged: {said.strip()}")
    own = own_movies(folder, "unplugged")
    for file in [os.path.join(folder, "unplugged.mov"), *own]:
        decoded = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-xerror", "-i", file, "-fps_mode", "passthrough",
                                  "-enc_time_base", "-1", "-f", "null", "-"], capture_output=True, text=True, check=False)
        expect(decoded.returncode == 0 and not decoded.stderr, f"{os.path.basename(file)} decodes {decoded.stderr[:200]}")
    main, inset = ([digits.number(cell) for cell in cells(file)] for file in own)
    expect(main == list(range(main[0], main[0] + len(main))), f"the other camera lost nothing: {main}")
    back = next((index for index, (one, two) in enumerate(zip(inset, inset[1:]), 1) if two < one), None)
    expect(back is not None and inset[back:] == list(range(inset[back], inset[back] + len(inset) - back)),
           f"it is taken up again, and goes on: {inset}")
    with open(os.path.join(folder, "unplugged.json")) as lines:
        state = [json.loads(line) for line in lines][-1]["content-state"]
    expect(state["framesDropped"] <= 2, f"{state['framesDropped']} frames counted as dropped")


def losses(folder, expect):
    """Judges losses.*: what the driver loses counts while it is recorded, and not in a pause."""
    def told(name, line):
        with open(os.path.join(folder, name)) as lines:
            return json.loads(lines.read().splitlines()[line])["content-state"]

    paused, last = told("losses.paused", -1)["framesDropped"], told("losses.json", -1)
    expect(paused <= 1, f"{paused} frames counted as dropped of those that a camera lost in a pause")
    # Three seconds at ten frames a second, less what the driver's buffers hold; its clock leaps.
    expect(last["framesDropped"] >= paused + 5, f"{last['framesDropped']} of those that it lost while they were recorded, too")
    frames = len(times(os.path.join(folder, "losses.mov")))
    expect(frames == last["framesWritten"], f"{frames} frames, {last['framesWritten']} told")


def ramp(folder, expect):
    """Judges ramp.mov, during which it became darker, and what its gain was after each shot."""
    with open(os.path.join(folder, "ramp.status")) as status, open(os.path.join(folder, "ramp.txt")) as text:
        expect(status.read().strip() == "0" and "gain" in (said := text.read()) and "follows the light" in said,
               f"a gain follows the light: {said.strip()}")
    with open(os.path.join(folder, "ramp.gain")) as lines:
        found = [re.search(r"gain_automatic: (\d+)gain: (\d+)", line).groups() for line in lines]
    with open(os.path.join(folder, "ramped.gain")) as lines:
        after = lines.read()
    gains = [int(gain) for _, gain in found]
    # At most a 48th of its range, 0 to 255, from one shot to the next; two may lie between two looks on a busy host.
    steps = [two - one for one, two in zip(gains, gains[1:])]
    expect(all(automatic == "0" for automatic, _ in found) and len(gains) == 7 and all(0 <= step <= 10 for step in steps)
           and (gains[-1] > gains[0] or gains[0] == 255), f"in the dark it is raised step by step: {gains}")
    expect("gain_automatic: 1" in after, f"it is the camera's again afterwards: {after.strip()}")


def shots(folder, digits, expect):
    """Judges shots.mov and *.gain of lib/take-v4l2-shots."""
    with open(os.path.join(folder, "shots.status")) as file, open(os.path.join(folder, "shots.json")) as lines:
        state = [json.loads(line) for line in lines][-1]["content-state"]
        taken, missed = state["completedItems"], state["framesDropped"]
        expect(file.read().strip() == "0" and taken + missed == 22, f"a timelapse of {taken} shots and {missed} missed of 22")
    with open(os.path.join(folder, "shots.txt")) as text:
        said = text.read()
    expect("is lost" in said and "is back" in said, f"a camera that is unplugged between shots: {said.strip()}")
    gains = {}
    for name in ("before", "shots", "after"):
        with open(os.path.join(folder, f"{name}.gain")) as lines:
            gains[name] = lines.read().splitlines()
    expect(all("gain_automatic: 1" in line for name in ("before", "after") for line in gains[name])
           and len(gains["shots"]) == 3 and len(set(gains["shots"])) == 1 and "gain_automatic: 0" in gains["shots"][0],
           f"the gain is locked while shots are taken, and not afterwards: {gains}")
    ramp(folder, expect)
    numbers = [digits.number(cell) for cell in cells(os.path.join(folder, "shots.mov"))]
    expect(None not in numbers and len(numbers) == taken, f"each shot shows its number: {numbers}")
    if None in numbers:
        return
    back = next((index for index, (one, two) in enumerate(zip(numbers, numbers[1:]), 1) if two < one), len(numbers))
    # So many frames a second as lie between most shots. Old ones of the driver's queue would lie between the slots.
    rate = statistics.median(two - one for one, two in zip(numbers[:back], numbers[1:back]))
    for part in (numbers[:back], numbers[back:]):
        off = [(number - part[0] + rate / 2) % rate - rate / 2 for number in part]
        expect(all(abs(frames) <= 2 for frames in off), f"each of {len(part)} shots is the first of its second, at {rate:.0f} a second: {part}")
    expect(back >= 9 and len(numbers) - back >= 3, f"{back} shots before it is unplugged, {len(numbers) - back} after")

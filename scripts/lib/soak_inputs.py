"""Damaged inputs for scripts/soak: mutates short clips and exports each."""

import collections
import json
import os
import random
import re
import resource
import shutil
import subprocess
import tempfile
import time

# Seconds: the export's own limits, which are 20 for what a file says of itself, 20 for its streams, 60 for the first
# sample and 60 for a standstill; and ten for the work itself, on a busy machine.
LIMIT = 20 + 20 + 60 + 60 + 10

# Name, and how ffmpeg writes it; an index of Matroska and AVI lies at the end, that of fast.mp4 in front.
SOURCES = {
    "camera.mov": "-c:v libx264 -preset ultrafast -g 12 -c:a aac",
    "fast.mp4": "-c:v libx264 -preset ultrafast -g 12 -c:a aac -movflags +faststart",
    "hevc.mp4": "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1:frame-threads=1 -tag:v hvc1 -c:a aac",
    "fragments.mp4": "-c:v libx264 -preset ultrafast -g 12 -c:a aac -movflags +frag_keyframe+empty_moov",
    "desk.mkv": "-c:v libx264 -preset ultrafast -g 12 -c:a flac",
    "web.webm": "-c:v libvpx -deadline realtime -cpu-used 8 -g 12 -c:a libopus",
    "air.ts": "-c:v mpeg2video -g 12 -c:a mp2",
    "tv.ts": "-c:v libx264 -preset ultrafast -g 12 -c:a aac",
    "old.avi": "-c:v mpeg4 -g 12 -c:a libmp3lame",
}

# Preset and ending: decoded and encoded, copied through a pipeline, and by bytes.
TARGETS = [("h264", "mp4", ["--reencode"]), ("h264", "mkv", ["--reencode"]), ("copy", "mkv", [])]
MOVIE_TARGETS = TARGETS + [("copy", "mov", []), ("copy", "mp4", [])]
# What neither QuickTime nor MP4 holds here.
OTHERS = {"desk.mkv", "web.webm", "air.ts"}


def make_sources(folder):
    for name, words in SOURCES.items():
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2", "-f",
             "lavfi", "-i", "sine=frequency=440:duration=2", "-pix_fmt", "yuv420p", "-threads", "1", *words.split(),
             "-shortest", os.path.join(folder, name)], check=True)


def damage(data, generator):
    """Damaged bytes, and what was done in words."""
    kind = generator.choice(["flips", "flips", "head", "cut", "gap", "zeros", "noise", "twice"])
    place, length = generator.randrange(len(data)), generator.randint(1, max(1, len(data) // 4))
    if kind in ("flips", "head"):
        # Where the boxes and headers are, a bit does most.
        end, count = (min(2048, len(data)), generator.randint(1, 8)) if kind == "head" else (
            len(data), generator.choice([1, 4, 16, 64, 256]))
        for _ in range(count):
            data[generator.randrange(end)] ^= 1 << generator.randrange(8)
        return data, f"{count} bits turned{' in the head' if kind == 'head' else ''}"
    if kind == "cut":
        return data[:max(1, place)], f"cut after {max(1, place)} bytes"
    end = min(len(data), place + length)
    if kind == "gap":
        return data[:place] + data[end:], f"without the bytes {place} to {end}"
    if kind == "twice":
        return data[:end] + data[place:], f"with the bytes {place} to {end} twice"
    data[place:end] = generator.randbytes(end - place) if kind == "noise" else bytes(end - place)
    return data, f"{kind} at {place} to {end}"


def export(command, folder):
    """Status, seconds, peak memory in MB, and what was said; a status of None is an export that did not end."""
    with tempfile.TemporaryFile() as said:
        began = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=folder)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - began > LIMIT:
                process.kill()
                _, _, usage = os.wait4(process.pid, 0)
                status = None
                break
            time.sleep(0.02)
        process.returncode = -1 if status is None else os.waitstatus_to_exitcode(status)
        said.seek(0)
        words = said.read().decode("utf-8", "replace").strip()
    return None if status is None else process.returncode, time.monotonic() - began, usage.ru_maxrss / 1024, words


def counted(path):
    """What ffprobe decodes of each stream, as text; empty where it cannot open the file or nothing can be decoded."""
    result = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=codec_type,nb_read_frames", "-of", "json",
         path], capture_output=True, text=True, check=False)
    streams = json.loads(result.stdout or "{}").get("streams", []) if result.returncode == 0 else []
    counts = {stream["codec_type"]: int(stream.get("nb_read_frames", 0)) for stream in streams}
    return " ".join(f"{kind} {count}" for kind, count in counts.items()) if any(counts.values()) else ""


def complaints(status, words, left, output):
    """What is wrong with how an export ended."""
    lines = [line for line in words.splitlines() if line]
    if status is None:
        return [f"it had not ended after {LIMIT} s"]
    # A turned bit can make another codec of it, which the copy's container does not hold: wrong usage by then.
    if status not in (0, 1, 64):
        return [f"it ended with {status}: {words[-500:]}"]
    found = []
    if status != 0:
        if len(lines) != 1 or not re.fullmatch(r"rushes: .{10,400}[.?)]?", lines[0]):
            found.append(f"it is not one sentence: {words[:800]}")
        found += [f"it left {name}" for name in left]
    else:
        if left != [os.path.basename(output)]:
            found.append(f"it left {left}")
        if os.path.exists(output) and not counted(output):
            found.append("ffprobe decodes nothing of it")
    if re.search(r"CRITICAL|GLib|assertion|Fatal|Traceback", words):
        found.append(f"a library complained: {words[:800]}")
    return found


def inputs(chosen):
    count, seed = chosen.count or 300, chosen.seed
    folder = tempfile.mkdtemp(prefix="rushes-soak.")
    sources, output = os.path.join(folder, "sources"), os.path.join(folder, "out")
    os.mkdir(sources)
    make_sources(sources)
    # What a library dumps at its end belongs to no one.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    environment = os.path.join(folder, "state")
    os.environ["XDG_STATE_HOME"] = environment
    ends, reasons, bad, longest, largest = collections.Counter(), collections.Counter(), 0, 0.0, 0.0
    for number in range(1, count + 1):
        generator = random.Random(f"{seed}-{number}")
        name = list(SOURCES)[number % len(SOURCES)]
        with open(os.path.join(sources, name), "rb") as file:
            data, how = damage(bytearray(file.read()), generator)
        preset, ending, more = generator.choice(TARGETS if name in OTHERS else MOVIE_TARGETS)
        damaged = os.path.join(folder, f"{number}-{name}")
        with open(damaged, "wb") as file:
            file.write(data)
        os.mkdir(output)
        path = os.path.join(output, f"out.{ending}")
        status, seconds, memory, words = export(
            [chosen.rushes, "transcode", damaged, "--output", path, "--preset", preset, "--progress", "none", *more], folder)
        found = complaints(status, words, sorted(os.listdir(output)), path)
        longest, largest = max(longest, seconds), max(largest, memory)
        ends[status] += 1
        if status != 0:
            reasons[re.sub(r"^rushes: (\S*-)?\S+\.\w+:? ", "", re.sub(r"\d+", "N", words.splitlines()[0]))[:100] if words else ""] += 1
        # What lasts long, and what was written before it was found to be bad, is no fault but worth a look.
        notable = chosen.verbose or seconds > 15 or "is damaged" in words
        if found or notable:
            print(f"{number} {name}, {how}, {preset} to {ending}: {status}, {seconds:.1f} s, {memory:.0f} MB"
                  + "".join(f"\n    {fault}" for fault in found) + (f"\n    {words[:300]}" if notable else ""), flush=True)
        bad += bool(found)
        shutil.rmtree(output)
        if not found:
            os.remove(damaged)
    for reason, times in reasons.most_common():
        print(f"{times:4} × {reason}")
    print(f"{count} damaged inputs (seed {seed}): " + ", ".join(f"{times} ended with {status}" for status, times in sorted(
        ends.items(), key=str)) + f"; longest {longest:.1f} s, largest {largest:.0f} MB; {bad} not as they should")
    if bad:
        print(f"kept: {folder}")
    else:
        shutil.rmtree(folder)
    return bad

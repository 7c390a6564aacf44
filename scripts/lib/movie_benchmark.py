"""The parts of scripts/benchmark movie: what is done to files, beside the tools that people would use instead."""

import os
import shutil
import struct
import subprocess


class MovieParts:
    """Mixed into the Benchmark, whose runs and rows it uses. All files are in its folder."""

    def path(self, name):
        return os.path.join(self.folder, name)

    def prepare(self):
        """One hour in fragments of half a second: 50 frames and 47 packets of audio a second; and the same finished."""
        seconds = 60 if self.chosen.short else 3600
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=50:duration=60", "-f",
             "lavfi", "-i", "sine=sample_rate=48000:duration=60", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2",
             "-g", "25", "-c:a", "aac", self.path("minute.mp4")], check=True)
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-stream_loop", str(seconds // 60 - 1), "-i", self.path("minute.mp4"),
             "-c", "copy", "-movflags", "frag_keyframe+delay_moov+default_base_moof", self.path("dead.mp4")], check=True)
        subprocess.run([self.chosen.rushes, "recover", "--progress", "none", self.path("dead.mp4"), "--output",
                        self.path("done.mp4")], check=True, stdout=subprocess.DEVNULL)

    def copy(self, source, target):
        """A copy of its own whose data is on the disk already, so that nobody is charged for writing it."""
        shutil.copyfile(self.path(source), self.path(target))
        with open(self.path(target), "rb+") as file:
            os.fsync(file.fileno())

    def both(self, part, results, labels, goals):
        """A row for the time and one for the memory of each way."""
        for name, label in labels:
            self.row(part, f"{label}: time", [1000 * run.wall for run in results[name]], "ms",
                     goals[0] if name == "rushes" else "")
            self.row(part, f"{label}: peak memory", [run.memory for run in results[name]], "MB",
                     goals[1] if name == "rushes" else "")

    def recover(self):
        def with_rushes():
            self.copy("dead.mp4", "work.mp4")
            return self.run(self.chosen.rushes, "recover", "--in-place", "work.mp4")

        results = self.interleaved(
            self.runs(7), rushes=with_rushes,
            ffmpeg=lambda: self.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", "dead.mp4", "-c", "copy", "remux.mp4"))
        self.both(f"one hour in fragments, {os.path.getsize(self.path('dead.mp4')) / 1e6:.0f} MB, made an ordinary movie",
                  results, [("rushes", "rushes recover --in-place"), ("ffmpeg", "ffmpeg -c copy, a new file")],
                  ("≤ 200 ms", "≤ 100 MB"))

    def remux(self):
        def with_rushes():
            return self.run(self.chosen.rushes, "transcode", "--preset", "copy", "--overwrite", "--progress", "none",
                            "done.mp4", "--output", "copy.mov")

        results = self.interleaved(
            self.runs(7), rushes=with_rushes,
            ffmpeg=lambda: self.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", "done.mp4", "-c", "copy", "remux.mov"))
        part = f"one hour of MP4, {os.path.getsize(self.path('done.mp4')) / 1e6:.0f} MB, copied to QuickTime"
        labels = [("ffmpeg", "ffmpeg -c copy"), ("rushes", "rushes transcode --preset copy")]
        for name, label in labels:
            self.row(part, f"{label}: CPU", [1000 * run.cpu for run in results[name]], "ms",
                     "≤ ffmpeg's" if name == "rushes" else "")
        self.both(part, results, labels, ("≤ ffmpeg's", "≤ ffmpeg's"))

    def info(self):
        results = self.interleaved(
            self.runs(7), rushes=lambda: self.run(self.chosen.rushes, "info", "--json", "done.mp4"),
            ffprobe=lambda: self.run("ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", "done.mp4"),
            mediainfo=lambda: self.run("mediainfo", "--Output=JSON", "done.mp4"))
        self.both("what is in a movie of one hour", results,
                  [("rushes", "rushes info"), ("ffprobe", "ffprobe"), ("mediainfo", "mediainfo")], ("≤ 100 ms", ""))

    def rotate(self):
        size = self.enlarge("done.mp4", "large.mp4", (40 << 20) if self.chosen.short else (4 << 30))
        angles = iter([90, 180, 270, 0] * 100)
        results = self.interleaved(
            self.runs(7),
            rushes=lambda: self.run(self.chosen.rushes, "rotate", "large.mp4", "--angle", str(next(angles))))
        part = f"a movie of {size / 1e9:.1f} GB turned in place"
        self.both(part, results, [("rushes", "rushes rotate")], ("≤ 50 ms", ""))
        # It writes the whole file anew, so once has to do.
        once = self.run("exiftool", "-q", "-overwrite_original", "-api", "LargeFileSupport=1", "-Rotation=90", "large.mp4")
        self.row(part, "exiftool -Rotation=90: time", [1000 * once.wall], "ms")
        os.remove(self.path("large.mp4"))

    def tag(self):
        def with_rushes():
            return self.run(self.chosen.rushes, "tag", "ours.mp4", "--title", "A title")

        self.copy("done.mp4", "ours.mp4")
        self.copy("done.mp4", "theirs.mp4")
        results = self.interleaved(
            self.runs(7), rushes=with_rushes,
            exiftool=lambda: self.run("exiftool", "-q", "-overwrite_original", "-Title=A title", "theirs.mp4"))
        self.both("a title for a movie of one hour", results, [("rushes", "rushes tag"), ("exiftool", "exiftool -Title")],
                  ("", ""))

    def enlarge(self, source, target, count):
        """Puts a hole of that many bytes, as more data, before the index of a movie that ends with it; returns the file's size."""
        with open(self.path(source), "rb") as old, open(self.path(target), "wb") as new:
            end = os.fstat(old.fileno()).st_size
            position = 0
            while position < end:
                old.seek(position)
                size, kind = struct.unpack(">I4s", old.read(8))
                size = struct.unpack(">Q", old.read(8))[0] if size == 1 else size
                if kind == b"moov" and position + size == end:
                    break
                position += size
            else:
                raise RuntimeError(f"{source} has no index at its end")
            # Piece by piece: what this process holds in memory would count as its children's peak.
            old.seek(0)
            while left := position - old.tell():
                new.write(old.read(min(left, 1 << 20)))
            new.write(struct.pack(">I4sQ", 1, b"mdat", count))
            new.seek(position + count)
            shutil.copyfileobj(old, new)
            new.flush()
            os.fsync(new.fileno())
            return new.tell()

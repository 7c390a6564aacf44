"""The parts of scripts/benchmark transcode: files made from files, beside ffmpeg, HandBrake and GNU parallel."""

import math
import os
import re
import subprocess

from process_memory import peak_memory

CLIP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Tests/Media/big-buck-bunny.mp4")


class TranscodeParts:
    """Mixed into the Benchmark, whose runs and rows it uses."""

    def transcode(self, source, target, *options):
        return self.run(self.chosen.rushes, "transcode", source, "--output", target, "--overwrite", "--progress", "none",
                        *options)

    def ffmpeg(self, *options):
        return self.run("ffmpeg", "-nostdin", "-v", "error", "-y", *options)

    def source(self):
        """The clip, or a second of it, under a name of its own: everybody reads the same bytes."""
        if not os.path.exists(self.path("source.mp4")):
            # Stereo: what is measured is the video. Three times, as nobody encodes ten seconds.
            self.ffmpeg("-stream_loop", "2", "-i", CLIP, *(["-t", "1"] if self.chosen.short else []), "-map", "0:v", "-map", "0:a", "-c:v",
                        "copy", "-c:a", "aac", "-ac", "2", self.path("source.mp4"))
        return "source.mp4"

    def compared(self, part, results, labels, goal, memory_goal="ffmpeg's + 120 MB"):
        """Rows of time and memory; the ratio of the first to each of the others."""
        wall, memory = {}, {}
        for name, label in labels:
            wall[name] = self.row(part, f"{label}: time", [run.wall for run in results[name]], "s")
            memory[name] = self.row(part, f"{label}: peak memory", [run.memory for run in results[name]], "MB")
        ours = labels[0][0]
        for name, label in labels[1:]:
            self.fact(part, f"time, rushes to {label}", f"{wall[ours] / wall[name]:.3f}", goal.get(name, ""))
        if "ffmpeg" in memory and memory_goal:
            self.fact(part, "peak memory above ffmpeg's", f"{memory[ours] - memory['ffmpeg']:+.0f} MB", "≤ +120 MB")

    def fact(self, part, what, value, goal=""):
        self.rows.append((part, what, value, "", "", goal))
        print("  ".join(self.rows[-1]), flush=True)

    def likeness(self, path, source):
        """SSIM of all planes, as ffmpeg measures it."""
        report = subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "info", "-i", self.path(path), "-i", self.path(source), "-lavfi",
             "[0:v]settb=1/1000,setpts=40*N[a];[1:v]settb=1/1000,setpts=40*N[b];[a][b]ssim", "-f", "null", "-"], capture_output=True, text=True, check=True)
        return float(re.search(r"All:([\d.]+)", report.stderr)[1])

    def video_bytes(self, path):
        """Bytes of the video's packets alone."""
        sizes = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=size", "-of",
                                "csv=p=0", self.path(path)], capture_output=True, text=True, check=True).stdout.split()
        return sum(int(size.strip(",")) for size in sizes)

    def speed(self, preset, source):
        """The encoder's own preset that ours has chosen."""
        printed = subprocess.run([self.chosen.rushes, "transcode", self.path(source), "--output", self.path("plan.mp4"),
                                  "--preset", preset, "--reencode", "--print-pipeline"], capture_output=True, text=True,
                                 check=True).stdout
        return re.search(r"speed-preset=(\w+)", printed)[1]

    def hevc(self):
        source, rate, part = self.source(), "1000", "HEVC, 1 Mbit/s, the same x265 preset"
        speed = self.speed("hevc", source)
        results = self.interleaved(
            self.runs(5),
            rushes=lambda: self.transcode(source, "ours.mp4", "--preset", "hevc", "--bitrate", rate + "k"),
            ffmpeg=lambda: self.ffmpeg("-i", source, "-fps_mode", "passthrough", "-c:v", "libx265", "-preset", speed, "-b:v", rate + "k", "-x265-params",
                                       "log-level=none", "-c:a", "aac", "theirs.mp4"),
            handbrake=lambda: self.run("HandBrakeCLI", "-i", source, "-o", "brake.mp4", "-e", "x265", "--encoder-preset",
                                       speed, "-b", rate, "--no-two-pass", "--crop", "0:0:0:0", "-E", "av_aac"))
        self.compared(f"{part} ({speed})", results, [("rushes", "rushes"), ("ffmpeg", "ffmpeg"), ("handbrake", "HandBrakeCLI")],
                      {"ffmpeg": "≤ 1.0", "handbrake": "≤ 1.0"})
        for name, path in (("rushes", "ours.mp4"), ("ffmpeg", "theirs.mp4")):
            self.fact(part, f"{name}: video's size and SSIM",
                      f"{self.video_bytes(path) / 1e6:.3f} MB, {self.likeness(path, source):.5f}")

    def h264(self):
        source, part = self.source(), "H.264, the same x264 preset"
        speed = self.speed("h264", source)
        for rate in ("400", "1000", "2500"):
            self.transcode(source, "ours.mp4", "--preset", "h264", "--bitrate", rate + "k")
            self.ffmpeg("-i", source, "-fps_mode", "passthrough", "-c:v", "libx264", "-preset", speed, "-b:v", rate + "k",
                        "-c:a", "aac", "theirs.mp4")
            for name, path in (("rushes", "ours.mp4"), ("ffmpeg", "theirs.mp4")):
                self.fact(f"{part} ({speed}), {rate} kbit/s", f"{name}: video's size and SSIM",
                          f"{self.video_bytes(path) / 1e6:.3f} MB, {self.likeness(path, source):.5f}")

    def medium(self):
        """The same speed of the same encoder, which is all that takes time."""
        source = self.source()
        for codec, encoder, quiet in (("h264", "libx264", []), ("hevc", "libx265", ["-x265-params", "log-level=none"])):
            results = self.interleaved(
                self.runs(5),
                rushes=lambda: self.transcode(source, "ours.mp4", "--codec", codec, "--encoder-speed", "medium", "--bitrate", "1000k", "--reencode"),
                ffmpeg=lambda: self.ffmpeg("-i", source, "-fps_mode", "passthrough", "-c:v", encoder, "-preset", "medium", *quiet,
                                           "-b:v", "1000k", "-c:a", "aac", "theirs.mp4"))
            self.compared(f"{codec}, 1 Mbit/s, --encoder-speed medium", results, [("rushes", "rushes"), ("ffmpeg", "ffmpeg")],
                          {"ffmpeg": "≤ 1.0"})

    def filter(self):
        """The same filter before the same encoder."""
        source = self.source()
        results = self.interleaved(
            self.runs(5),
            rushes=lambda: self.transcode(source, "ours.mp4", "--codec", "h264", "--encoder-speed", "medium", "--bitrate", "1000k",
                                          "--video-filter", "hqdn3d"),
            ffmpeg=lambda: self.ffmpeg("-i", source, "-fps_mode", "passthrough", "-vf", "hqdn3d", "-c:v", "libx264", "-preset", "medium",
                                       "-b:v", "1000k", "-c:a", "aac", "theirs.mp4"))
        self.compared("h264, --video-filter hqdn3d", results, [("rushes", "rushes"), ("ffmpeg", "ffmpeg")], {"ffmpeg": "≤ 1.0"})

    def fast(self):
        """Our fast preset beside the constant quality of ffmpeg's veryfast that gives the same likeness."""
        source, part = self.source(), "HEVC, hevc-fast beside ffmpeg -preset veryfast at equal SSIM"

        def theirs(quality):
            return self.ffmpeg("-i", source, "-fps_mode", "passthrough", "-c:v", "libx265", "-preset", "veryfast", "-x265-params",
                               f"log-level=none:crf={quality}", "-c:a", "aac", "theirs.mp4")

        self.transcode(source, "ours.mp4", "--preset", "hevc-fast")
        wanted, tried = self.likeness("ours.mp4", source), []
        for quality in (20, 23, 26, 29, 32):
            theirs(quality)
            tried.append((quality, -10 * math.log10(1 - self.likeness("theirs.mp4", source))))
        # Decibels of likeness fall nearly straight with the quality.
        goal = -10 * math.log10(1 - wanted)
        below = min(range(1, len(tried)), key=lambda index: abs(tried[index][1] - goal))
        (first, high), (second, low) = tried[below - 1], tried[below]
        quality = round(first + (high - goal) / (high - low) * (second - first), 2)
        results = self.interleaved(self.runs(5), rushes=lambda: self.transcode(source, "ours.mp4", "--preset", "hevc-fast"),
                                   ffmpeg=lambda: theirs(quality))
        self.compared(part, results, [("rushes", "rushes"), ("ffmpeg", f"ffmpeg at CRF {quality}")], {"ffmpeg": "≤ 0.85"})
        sizes = [self.video_bytes(path) for path in ("ours.mp4", "theirs.mp4")]
        likeness = [self.likeness(path, source) for path in ("ours.mp4", "theirs.mp4")]
        self.fact(part, "SSIM, rushes and ffmpeg", f"{likeness[0]:.5f}, {likeness[1]:.5f}", "≥ −0.0005")
        self.fact(part, "size, rushes to ffmpeg", f"{100 * (sizes[0] / sizes[1] - 1):+.1f} %", "≤ +1 %")

    def prores_file(self):
        source, part = self.source(), "ProRes 422 HQ of the clip"
        results = self.interleaved(
            self.runs(5), rushes=lambda: self.transcode(source, "ours.mov", "--preset", "prores-hq"),
            ffmpeg=lambda: self.ffmpeg("-i", source, "-fps_mode", "passthrough", "-c:v", "prores_ks", "-profile:v", "3", "-c:a", "pcm_s16le", "theirs.mov"))
        self.compared(part, results, [("rushes", "rushes"), ("ffmpeg", "ffmpeg prores_ks")], {"ffmpeg": "≤ 0.25"})
        for name, path in (("rushes", "ours.mov"), ("ffmpeg", "theirs.mov")):
            self.fact(part, f"{name}: video's size and SSIM",
                      f"{self.video_bytes(path) / 1e6:.2f} MB, {self.likeness(path, source):.5f}")

    def gif(self):
        source, part, length = self.source(), "four seconds to GIF, 480×270 at 12", "1" if self.chosen.short else "4"
        chain = "fps=12,scale=480:270:flags=lanczos"
        results = self.interleaved(
            self.runs(5), rushes=lambda: self.transcode(source, "ours.gif", "--end", length, "--size", "480x270", "--rate", "12"),
            ffmpeg=lambda: self.ffmpeg("-t", length, "-i", source, "-vf", f"{chain},split[a][b];[a]palettegen[p];[b][p]paletteuse", "theirs.gif"))
        self.compared(part, results, [("rushes", "rushes"), ("ffmpeg", "ffmpeg's palettegen and paletteuse")], {"ffmpeg": "≤ 1.0"})
        sizes = [os.path.getsize(self.path(path)) for path in ("ours.gif", "theirs.gif")]
        self.fact(part, "size, rushes to ffmpeg", f"{100 * (sizes[0] / sizes[1] - 1):+.1f} %", "≤ +5 %")

    def large(self):
        """4K, where each frame that somebody keeps is 12 MB."""
        self.ffmpeg("-i", CLIP, "-t", "0.5" if self.chosen.short else "3", "-vf", "scale=3840:2160,setsar=1", "-c:v", "libx264",
                    "-preset", "ultrafast", "-crf", "18", "-c:a", "aac", "-ac", "2", "large.mp4")
        for preset, encoder in (("h264", "libx264"), ("hevc", "libx265")):
            speed = self.speed(preset, "large.mp4")
            results = self.interleaved(
                self.runs(1), rushes=lambda: self.transcode("large.mp4", "ours.mp4", "--preset", preset, "--reencode"),
                ffmpeg=lambda: self.ffmpeg("-i", "large.mp4", "-fps_mode", "passthrough", "-c:v", encoder, "-preset", speed,
                                           "-c:a", "aac", "theirs.mp4"))
            self.compared(f"3840×2160 to {preset} ({speed})", results, [("rushes", "rushes"), ("ffmpeg", "ffmpeg")], {})

    def container(self):
        """Another container around the same streams, of a file that is large enough to be measured."""
        self.source()
        if not os.path.exists(self.path("long.mov")):
            self.ffmpeg("-stream_loop", "1" if self.chosen.short else "99", "-i", "source.mp4", "-map", "0", "-c", "copy",
                        "long.mov")
            self.ffmpeg("-i", "long.mov", "-map", "0", "-c", "copy", "long.mkv")
        size = os.path.getsize(self.path("long.mov")) / 1e6
        for source, target in (("long.mov", "mp4"), ("long.mkv", "mp4"), ("long.mov", "mkv")):
            results = self.interleaved(
                self.runs(5), rushes=lambda: self.transcode(source, f"ours.{target}", "--preset", "copy"),
                ffmpeg=lambda: self.ffmpeg("-i", source, "-map", "0", "-c", "copy", f"theirs.{target}"))
            self.compared(f"{source.split('.')[1]} to {target}, {size:.0f} MB, streams as they are", results,
                          [("rushes", "rushes"), ("ffmpeg", "ffmpeg -c copy")],
                          {"ffmpeg": "≤ 1.0"} if target == "mp4" and source.endswith("mov") else {})

    def many(self):
        """Sixty clips of two seconds; to H.264, where the start of a program counts beside the work."""
        count, part = 4 if self.chosen.short else 60, "sixty clips of two seconds to H.264"
        os.makedirs(self.path("clips"), exist_ok=True)
        for number in range(count):
            self.ffmpeg("-ss", str(number % 8), "-i", CLIP, "-t", "2", "-vf", "scale=426:240", "-c:v", "libx264", "-preset",
                        "veryfast", "-c:a", "aac", "-ac", "2", f"clips/{number:02}.mp4")
        speed = self.speed("h264", "clips/00.mp4")
        one = f"ffmpeg -nostdin -v error -y -i {{}} -c:v libx264 -preset {speed} -crf 23 -c:a aac out/{{/}}"
        shell = f"for f in clips/*.mp4; do {one.replace('{}', '$f').replace('{/}', '${f##*/}')}; done"

        def emptied(way):
            def run():
                for folder in ("out", "ours"):
                    subprocess.run(["rm", "-rf", self.path(folder)], check=True)
                    os.makedirs(self.path(folder))
                return way()
            return run

        files = [f"clips/{number:02}.mp4" for number in range(count)]
        ways = {
            "rushes": [self.chosen.rushes, "transcode", *files, "--output-directory", "ours", "--preset", "h264", "--reencode",
                       "--progress", "none"],
            "shell": ["sh", "-c", shell],
            "parallel": ["parallel", "--will-cite", "-j", str(len(os.sched_getaffinity(0))), one, ":::", *files],
        }
        results = self.interleaved(
            self.runs(3), **{name: emptied(lambda command=command: self.run(*command)) for name, command in ways.items()})
        self.compared(part, results, [("rushes", "rushes"), ("shell", "a shell loop of ffmpeg"),
                                      ("parallel", "GNU parallel with ffmpeg")], {"shell": "≤ 0.7", "parallel": "≤ 0.85"})
        # Two run at a time, in one process or in two: what all hold together is what the machine has to have.
        together = {name: emptied(lambda command=command: peak_memory(command, self.folder))()
                    for name, command in ways.items() if name != "shell"}
        self.fact(part, "peak memory of all processes, rushes and GNU parallel",
                  f"{together['rushes']:.0f} MB, {together['parallel']:.0f} MB")
        self.fact(part, "peak memory of all processes above GNU parallel's",
                  f"{together['rushes'] - together['parallel']:+.0f} MB", "≤ +120 MB")

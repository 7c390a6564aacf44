"""The parts of scripts/benchmark compose: raw frames drawn into raw frames, beside ffmpeg and GStreamer's compositor."""

import os
import re
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
CLIP = os.path.join(ROOT, "Tests/Media/big-buck-bunny.mp4")
LAYOUT, PLACE, RADIUS, FRAMES, MINUTE = "bottom-right,radius=24", (1408, 778, 480, 270), 24, 240, 1440
# What the command takes for such frames without a preset of its own.
SPEED = "slow"


class ComposeParts:
    """Mixed into the Benchmark, whose runs and rows it uses. Its folder lies in memory: no disk is measured."""

    def prepare_compose(self):
        """Builds the program and makes the raw frames that everybody reads."""
        build = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--scratch-path", ".build/benchmark", "--product",
                 "ComposeBenchmark"]
        environment = {**os.environ, "RUSHES_BENCHMARK": "1"}
        subprocess.run(build, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        path = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
        self.composer = os.path.join(path.stdout.strip(), "ComposeBenchmark")
        self.frames = 24 if self.chosen.short else FRAMES
        for name, size, start in (("main", "1920x1080", "0"), ("inset", "1280x720", "3")):
            for format, pixels in (("i420", "yuv420p"), ("nv12", "nv12"), ("i010", "yuv420p10le"), ("p010", "p010le")):
                self.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", "5", "-ss", start, "-i", CLIP, "-frames:v",
                         str(self.frames), "-an", "-vf", f"scale={size}", "-pix_fmt", pixels, "-f", "rawvideo",
                         f"{name}.{format}")
        with open(os.path.join(self.folder, "mask.gray"), "wb") as file:
            file.write(self.mask() * self.frames)

    def mask(self):
        """The rounded rectangle, 8 × 8 points of each pixel."""
        _, _, width, height = PLACE
        corner = {}
        for y in range(RADIUS):
            for x in range(RADIUS):
                inside = sum((RADIUS - x - (i + .5) / 8) ** 2 + (RADIUS - y - (j + .5) / 8) ** 2 <= RADIUS ** 2
                             for i in range(8) for j in range(8))
                corner[x, y] = round(inside * 255 / 64)
        return bytes(corner.get((min(x, width - 1 - x), min(y, height - 1 - y)), 255) for y in range(height) for x in range(width))

    def compose(self, layout=LAYOUT, format="i420", output="/dev/null", frames=None):
        return self.run(self.composer, "read", f"main.{format}", "1920x1080", f"inset.{format}", "1280x720", layout,
                        str(frames or self.frames), output, format)

    def compose_ffmpeg(self, graph, output="/dev/null", frames=None):
        raw = ["-f", "rawvideo", "-r", "30"]
        return self.run(
            "ffmpeg", "-nostdin", "-v", "error", "-y", *raw, "-pix_fmt", "yuv420p", "-s", "1920x1080", "-i", "main.i420", *raw,
            "-pix_fmt", "yuv420p", "-s", "1280x720", "-i", "inset.i420", *raw, "-pix_fmt", "gray", "-s", "480x270", "-i",
            "mask.gray", *(["-filter_complex", graph, "-frames:v", str(frames or self.frames), "-pix_fmt", "yuv420p", "-f",
                            "rawvideo", output] if graph else
                           ["-map", "0", "-f", "rawvideo", output, "-map", "1", "-c", "copy", "-f", "null", "-"]))

    def compose_gstreamer(self, composed):
        main = "filesrc location=main.i420 blocksize=3110400 ! rawvideoparse format=i420 width=1920 height=1080 colorimetry=bt709"
        inset = "filesrc location=inset.i420 blocksize=1382400 ! rawvideoparse format=i420 width=1280 height=720 colorimetry=bt709"
        x, y, width, height = PLACE
        # The quickest of its ways to an inset with round corners that were tried, with the alpha from a file.
        line = (f"compositor name=c sink_1::xpos={x} sink_1::ypos={y} ! videoconvert ! video/x-raw,format=I420 ! filesink "
                f"location=/dev/null {main} ! c.sink_0 {inset} ! videoscale ! video/x-raw,width={width},height={height} ! a.sink "
                f"filesrc location=mask.gray blocksize={width * height} ! rawvideoparse format=gray8 width={width} "
                f"height={height} colorimetry=bt709 ! a.alpha alphacombine name=a ! videoconvert ! video/x-raw,format=AYUV ! queue "
                "! c.sink_1") if composed else f"{main} ! filesink location=/dev/null {inset} ! fakesink sync=false"
        return self.run("gst-launch-1.0", "-q", *line.split())

    def overlay(self):
        x, y, width, height = PLACE
        graph = f"[1]scale={width}:{height}:flags=area[s];[s][2]alphamerge[a];[0][a]overlay={x}:{y}"
        part = f"{self.frames} frames, 1080p with a rounded {width}×{height} inset from 720p"
        results = self.interleaved(
            self.runs(9), rushes=self.compose, rushes_io=lambda: self.compose("main-only"),
            ffmpeg=lambda: self.compose_ffmpeg(graph), ffmpeg_io=lambda: self.compose_ffmpeg(None),
            gstreamer=lambda: self.compose_gstreamer(True), gstreamer_io=lambda: self.compose_gstreamer(False))
        cpu = {}
        for name, label in (("rushes", "rushes"), ("ffmpeg", "ffmpeg, alphamerge and overlay"),
                            ("gstreamer", "GStreamer, alphacombine and compositor")):
            cpu[name] = self.row(part, f"{label}: CPU", [run.cpu for run in results[name]], "s")
            idle = self.row(part, f"{label}: CPU without composition, only reading both and writing",
                            [run.cpu for run in results[name + "_io"]], "s")
            cpu[name + "_own"] = max(cpu[name] - idle, 1e-3)
        self.fact(part, "CPU, rushes to ffmpeg", f"{cpu['rushes'] / cpu['ffmpeg']:.3f}", "≤ 0.25")
        self.fact(part, "CPU, rushes to GStreamer", f"{cpu['rushes'] / cpu['gstreamer']:.3f}")
        self.fact(part, "CPU of composition alone, rushes to ffmpeg", f"{cpu['rushes_own'] / cpu['ffmpeg_own']:.3f}", "≤ 0.25")
        self.fact(part, "CPU of composition alone, rushes to GStreamer", f"{cpu['rushes_own'] / cpu['gstreamer_own']:.3f}", "≤ 0.05")
        frames = min(self.frames, 60)
        self.compose(output="rushes.out", frames=frames)
        self.compose_ffmpeg(graph, "ffmpeg.out", frames)
        self.fact(part, "PSNR of the inset, rushes to ffmpeg", f"{self.psnr_of_inset('rushes.out', 'ffmpeg.out'):.2f} dB", "> 45 dB")

    def movies(self):
        """Finished movies, decoded, composed and encoded by the same encoder with the same settings."""
        # A minute, where the start of two programs does not count; the slow encoder takes ten seconds of it.
        frames = self.frames if self.chosen.short else MINUTE
        for name, size, start in (("main", "1920x1080", "0"), ("inset", "1280x720", "3")):
            self.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", "7", "-ss", start, "-i", CLIP, "-frames:v",
                     str(frames), "-an", "-vf", f"scale={size}", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
                     f"{name}.mp4")
            self.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", f"{name}.mp4", "-frames:v", str(self.frames), "-c", "copy",
                     f"{name}-short.mp4")
        # Of one frame, which ffmpeg repeats.
        with open(os.path.join(self.folder, "mask-once.gray"), "wb") as file:
            file.write(self.mask())
        x, y, width, height = PLACE
        graph = f"[1]scale={width}:{height}:flags=area[s];[s][2]alphamerge[a];[0][a]overlay={x}:{y}"
        self.whole(graph, SPEED, self.frames, "-short")
        # The encoder's share is as small as can be: what is measured is reading and composition.
        self.only_ultrafast()
        self.whole(graph, "ultrafast", frames)
        os.environ.pop("RUSHES_PIPELINES", None)

    def whole(self, graph, speed, frames, length=""):
        main, inset = f"main{length}.mp4", f"inset{length}.mp4"
        results = self.interleaved(
            self.runs(5),
            rushes=lambda: self.run(self.chosen.rushes, "compose", "ours.mp4", "--main", main, "--inset", inset,
                                    "--layout", LAYOUT, "--codec", "h264", "--bitrate", "4M", "--align", "0", "--overwrite",
                                    "--progress", "none"),
            ffmpeg=lambda: self.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", main, "-i", inset, "-f", "rawvideo", "-r",
                                    "24", "-pix_fmt", "gray", "-s", "480x270", "-i", "mask-once.gray", "-filter_complex", graph, "-c:v",
                                    "libx264", "-preset", speed, "-b:v", "4M", "-frames:v", str(frames), "theirs.mp4"))
        part = f"{frames} frames, movies of 1080p and 720p to H.264 at 4 Mbit/s, x264's {speed}"
        wall = {name: self.row(part, f"{label}: time", [run.wall for run in results[name]], "s")
                for name, label in (("rushes", "rushes compose"), ("ffmpeg", "ffmpeg, alphamerge and overlay"))}
        self.fact(part, "time, rushes to ffmpeg", f"{wall['rushes'] / wall['ffmpeg']:.3f}", "≤ 0.95")

    def psnr_of_inset(self, *files):
        raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "1920x1080", "-i"]
        x, y, width, height = PLACE
        crop = f"crop={width}:{height}:{x}:{y}"
        report = subprocess.run(
            ["ffmpeg", "-nostdin", *raw, files[0], *raw, files[1], "-lavfi", f"[0]{crop}[a];[1]{crop}[b];[a][b]psnr", "-f", "null", "-"],
            cwd=self.folder, capture_output=True, text=True, check=True).stderr
        return float(re.search(r"average:([\d.]+|inf)", report)[1])

    def lut(self):
        """A look-up table, in 8 and 10 bit; both read raw frames and let the results go."""
        last = 32
        with open(os.path.join(self.folder, "film.cube"), "w", encoding="ascii") as file:
            file.write("LUT_3D_SIZE 33\n")
            for index in range(33 ** 3):
                r, g, b = index % 33 / last, index // 33 % 33 / last, index // 1089 / last
                luma = .2 * r + .7 * g + .1 * b
                file.write(f"{luma + (r - luma) * .8:.6f} {luma + (g - luma) * .9 * r:.6f} {luma + (b - luma) * .7:.6f}\n")
        for format, pixels in (("i420", "yuv420p"), ("i010", "yuv420p10le")):
            def theirs(look, format=format, pixels=pixels):
                return self.run("ffmpeg", "-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", pixels, "-s", "1920x1080", "-i",
                                f"main.{format}", "-vf", f"{look}format={pixels}", "-f", "rawvideo", "-y", "/dev/null")
            part = f"a look-up table of 33 points, {self.frames} frames of 1080p, {8 if format == 'i420' else 10} bit"
            results = self.interleaved(
                self.runs(5),
                rushes=lambda format=format: self.run(self.composer, "look", f"main.{format}", "1920x1080", "film.cube",
                                                      str(self.frames), "/dev/null", format),
                ffmpeg=lambda: theirs("lut3d=film.cube:interp=tetrahedral,"), ffmpeg_io=lambda: theirs(""))
            cpu = {name: self.row(part, f"{label}: CPU", [run.cpu for run in results[name]], "s")
                   for name, label in (("rushes", "rushes, reading included"), ("ffmpeg", "ffmpeg, lut3d and its conversions"),
                                       ("ffmpeg_io", "ffmpeg without it"))}
            self.fact(part, "CPU, rushes with reading to ffmpeg without", f"{cpu['rushes'] / (cpu['ffmpeg'] - cpu['ffmpeg_io']):.3f}",
                      "≤ 0.7")

    def layouts(self):
        """What one frame costs, reading and writing apart."""
        ways = ["bottom-right", LAYOUT, f"{LAYOUT},border=2,shadow", "bottom-right,size=30%,radius=24", "x=101,y=33,width=480,radius=24",
                "side-by-side", "side-by-side,fill", "inset-only", f"{LAYOUT}>top-left,size=40%,radius=24",
                f"{LAYOUT},border=2,shadow>top-left,size=40%,radius=24,border=2,shadow", "bottom-right>inset-only"]
        self.per_frame("layouts, 1080p from 1080p and 720p", {way: (way, "i420") for way in ways})

    def formats(self):
        self.per_frame(f"formats, {LAYOUT}", {format: (LAYOUT, format) for format in ("i420", "nv12", "i010", "p010")})

    def per_frame(self, part, ways):
        calls = {name: (lambda way=way: self.compose(*way)) for name, way in ways.items()}
        calls |= {f"{name} idle": (lambda way=way: self.compose("main-only", way[1])) for name, way in ways.items()}
        results = self.interleaved(self.runs(7), **calls)
        for name in ways:
            own = [1000 * (one.cpu - idle.cpu) / self.frames for one, idle in zip(results[name], results[f"{name} idle"])]
            self.row(part, f"{name}: CPU for a frame", own, "ms")

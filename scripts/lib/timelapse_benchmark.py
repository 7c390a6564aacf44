"""The parts of scripts/benchmark timelapse: timelapses of a video and of photos, beside ffmpeg with the same encoder settings."""

import os
import shutil
import subprocess

CLIP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Tests/Media/big-buck-bunny.mp4")


class TimelapseParts:
    """Mixed into the Benchmark, whose runs and rows it uses."""

    def timelapse(self, target, *options):
        return self.run(self.chosen.rushes, "timelapse", target, "--overwrite", "--progress", "none", *options)

    def hour(self):
        """An hour of 720p at 30 frames a second with a key frame every two seconds: the clip, looped."""
        if not os.path.exists(self.path("hour.mp4")):
            self.ffmpeg("-i", CLIP, "-t", "8", "-an", "-vf", "scale=1280:720:flags=lanczos,fps=30", "-c:v", "libx264", "-preset",
                        "fast", "-crf", "20", "-g", "60", "-keyint_min", "60", "-sc_threshold", "0", "loop.mp4")
            self.ffmpeg("-stream_loop", "9" if self.chosen.short else "449", "-i", "loop.mp4", "-c", "copy", "hour.mp4")
        return "hour.mp4"

    def count(self, file):
        return int(subprocess.run(
            ["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of",
             "csv=p=0", self.path(file)], check=True, capture_output=True, text=True).stdout.strip().strip(","))

    def video(self):
        # The encoder's share is as small as can be: what is measured is the reading.
        self.only_ultrafast()
        source, part = self.hour(), "one hour of 720p at 60x, H.264 ultrafast"
        written = ["-r", "30", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "4000k"]
        results = self.interleaved(
            self.runs(1),
            rushes=lambda: self.timelapse("ours.mp4", "--from-video", source, "--speed", "60x", "--preset", "h264", "--bitrate",
                                          "4M"),
            nokey=lambda: self.ffmpeg("-skip_frame", "nokey", "-i", source, "-an", "-vf", "setpts=N/30/TB", *written, "keys.mp4"))
        results["select"] = [self.ffmpeg("-i", source, "-an", "-vf", "select='not(mod(n,60))',setpts=N/30/TB", *written,
                                         "select.mp4")]
        labels = [("rushes", "rushes timelapse"), ("select", "ffmpeg select/setpts"), ("nokey", "ffmpeg -skip_frame nokey")]
        self.compared(part, results, labels, {"select": "≤ 0.083", "nokey": "< 1"}, memory_goal=None)
        self.fact(part, "frames, rushes and ffmpeg select/setpts", f"{self.count('ours.mp4')}, {self.count('select.mp4')}")
        exact = [self.timelapse("exact.mp4", "--from-video", source, "--speed", "50x", "--exact", "--preset", "h264", "--bitrate", "4M")]
        self.row(part, "rushes timelapse --exact at 50x: time", [run.wall for run in exact], "s")
        os.environ.pop("RUSHES_PIPELINES", None)

    def photos(self):
        """Photos of 12 megapixels with the grain of a camera; thirty different ones."""
        folder, count, different = self.path("shots"), 20 if self.chosen.short else 300, 30
        os.makedirs(folder)
        self.ffmpeg("-i", CLIP, "-frames:v", str(min(count, different)), "-vf", "fps=3,scale=4000:3000:flags=lanczos,noise=alls=8",
                    "-pix_fmt", "yuvj420p", "-q:v", "3", "-start_number", "0", "shots/shot%03d.jpg")
        for number in range(different, count):
            shutil.copyfile(os.path.join(folder, f"shot{number % different:03d}.jpg"), os.path.join(folder, f"shot{number:03d}.jpg"))
        size = os.path.getsize(os.path.join(folder, "shot000.jpg")) / 1e6
        for name, preset, ending, encoder, goal in (
                ("4K HEVC", "hevc-fast", "mp4", ["-c:v", "libx265", "-preset", self.hevc_speed(), "-x265-params", "log-level=none",
                                                 "-b:v", "20000k"], "≤ 0.6"),
                ("4K ProRes", "prores-422", "mov", ["-c:v", "prores_ks", "-profile:v", "2", "-pix_fmt", "yuv422p10le"], "≤ 0.6")):
            part = f"{count} photos of 12 MP ({size:.1f} MB) to {name}"
            rate = ["--bitrate", "20M"] if name == "4K HEVC" else []
            results = self.interleaved(
                self.runs(1),
                rushes=lambda preset=preset, ending=ending, rate=rate: self.timelapse(
                    f"ours.{ending}", "--from-images", "shots", "--size", "3840x2160", "--preset", preset, *rate),
                ffmpeg=lambda ending=ending, encoder=encoder: self.ffmpeg(
                    "-framerate", "30", "-i", "shots/shot%03d.jpg", "-vf", "scale=3840:-1,crop=3840:2160", *encoder,
                    f"theirs.{ending}"))
            self.compared(part, results, [("rushes", "rushes timelapse"), ("ffmpeg", "ffmpeg image2")], {"ffmpeg": goal},
                          memory_goal=None)
            self.fact(part, "peak memory below", f"{max(run.memory for run in results['rushes']):.0f} MB", "< 500 MB")

    def hevc_speed(self):
        """The encoder's own preset that ours has chosen."""
        return self.speed("hevc-fast", CLIP)

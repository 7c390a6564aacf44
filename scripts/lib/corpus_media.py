"""What ffprobe and ffmpeg find in a media file, for scripts/corpus."""

import dataclasses
import json
import re
import subprocess

import fork_server  # beside this script

# What ffprobe takes for media and no export is made of: lists of other files, images, text.
NO_MEDIA = {"hls", "dash", "image2", "tty", "webvtt", "srt", "ass", "microdvd", "concat", "ffmetadata", "sdp", "bin"}

# ISO 639-2 knows two codes for some languages, and Matroska takes other ones than QuickTime.
BIBLIOGRAPHIC = {
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
    "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
    "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym"}
TWO_LETTERS = {"de": "deu", "en": "eng", "es": "spa", "fr": "fra", "it": "ita", "ja": "jpn", "nl": "nld", "zh": "zho"}

TAGS = ("title", "artist", "album", "genre", "comment", "copyright")

# Those that some container keeps; "descriptions" and "captions" are ffmpeg's echoes of others.
ROLES = ("forced", "comment", "hearing_impaired", "visual_impaired", "original", "dub", "lyrics", "karaoke", "clean_effects")

TEXT_CODECS = {"subrip", "ass", "ssa", "webvtt", "mov_text", "text"}


class Unreadable(Exception):
    """Neither ffprobe nor ffmpeg gets anything out of the file."""


@dataclasses.dataclass
class Track:
    """One stream. Times are seconds in the file's own time."""
    kind: str
    codec: str
    index: int
    language: str | None = None
    # What it is for, by ffmpeg's names of dispositions.
    roles: set = dataclasses.field(default_factory=set)
    size: tuple | None = None
    turn: int = 0
    colours: dict = dataclasses.field(default_factory=dict)
    # Of the audio; how many seconds of it are decoded, and how many the container says are to be heard.
    rate: int = 0
    channels: int = 0
    audio: float = 0.0
    told: float | None = None
    # How much of what is decoded lies before the file's beginning, and only primes the decoder.
    priming: float = 0.0
    # Decoded frames, packets of image subtitles, or cues.
    count: int = 0
    begin: float | None = None
    end: float | None = None
    # When a usual frame ends and the next begins.
    grain: float = 0.0
    # Of subtitles: (begin, end, text).
    cues: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return f"{self.kind} {self.index + 1} ({self.codec})"


@dataclasses.dataclass
class Media:
    container: str
    tracks: list
    chapters: int = 0
    # The first time code that anything in it tells.
    timecode: str | None = None
    # What it says of itself, by the names in TAGS.
    tags: dict = dataclasses.field(default_factory=dict)
    description: str | None = None
    covers: int = 0
    # What ffmpeg complains about while it decodes.
    complaints: str = ""

    @property
    def begin(self):
        return min((track.begin for track in self.tracks if track.begin is not None), default=0)

    def of(self, kind):
        return [track for track in self.tracks if track.kind == kind]


def run(command, limit):
    command = [fork_server.client(command[0]), *command[1:]]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)


def language(stream):
    code = stream.get("tags", {}).get("language", "und").split("-")[0].strip("\0 ").lower()
    code = TWO_LETTERS.get(code, BIBLIOGRAPHIC.get(code, code))
    # QuickTime's "unspecified" is no letters.
    return code if code.isalpha() and code not in ("und", "mis", "zxx", "xxx") else None


def tags(about, streams):
    """Of the file, or of its only track where its container has none of its own (Ogg)."""
    told = [about.get("format", {})] + (streams if len(streams) == 1 and about["format"]["format_name"] == "ogg" else [])
    found = {name.lower(): text.strip() for one in reversed(told) for name, text in one.get("tags", {}).items()}
    return {name: found[name] for name in (*TAGS, "description") if found.get(name)}


def colours(stream):
    """What is said of them; a range that nobody names is the usual one, and RGB has no matrix of this kind."""
    found = {key: stream.get(key) for key in ("color_primaries", "color_transfer", "color_space")}
    found = {key: value for key, value in found.items() if value not in (None, "unknown", "reserved", "gbr")}
    # Two names of the same numbers.
    if found.get("color_space") == "bt470bg":
        found["color_space"] = "smpte170m"
    found["color_range"] = stream.get("color_range", "tv")
    return found


def turn(stream):
    for data in stream.get("side_data_list", []):
        if "rotation" in data:
            return round(data["rotation"]) % 360
    return 0


def shown_size(stream):
    ratio = stream.get("sample_aspect_ratio", "1:1").split(":")
    ratio = int(ratio[0]) / int(ratio[1]) if len(ratio) == 2 and int(ratio[0]) and int(ratio[1]) else 1
    return (stream.get("width", 0) * ratio, stream.get("height", 0))


def read(path, limit):
    """Decodes all of a file. Raises Unreadable."""
    answer = run(["ffprobe", "-v", "error", "-show_streams", "-show_chapters", "-show_format", "-of", "json", path], limit)
    try:
        about = json.loads(answer.stdout or b"{}")
    except ValueError:
        # It broke off, as at a file that it fails at.
        about = {}
    container = about.get("format", {}).get("format_name", "")
    streams = [stream for stream in about.get("streams", []) if stream.get("codec_type") in ("video", "audio", "subtitle")]
    covers = [stream for stream in streams if stream.get("disposition", {}).get("attached_pic")]
    streams = [stream for stream in streams if stream not in covers]
    if not streams or container.endswith("_pipe") or NO_MEDIA & set(container.split(",")):
        raise Unreadable(answer.stderr.decode(errors="replace").strip() or container)
    media = Media(container, [], chapters=len(about.get("chapters", [])))
    everything = about.get("streams", []) + [about.get("format", {})]
    media.timecode = next((one["tags"]["timecode"] for one in everything if "timecode" in one.get("tags", {})), None)
    media.tags, media.covers = tags(about, streams), len(covers)
    media.description = media.tags.pop("description", None)
    counts = {}
    decoded = []
    for stream in streams:
        kind = stream["codec_type"]
        track = Track(kind, stream.get("codec_name", stream.get("codec_tag_string", "unknown")), counts.get(kind, 0))
        counts[kind] = track.index + 1
        track.language = language(stream)
        track.roles = {name for name in ROLES if stream.get("disposition", {}).get(name)}
        media.tracks.append(track)
        if kind == "video":
            track.size, track.turn, track.colours = shown_size(stream), turn(stream), colours(stream)
        if kind == "audio":
            track.rate, track.channels = int(stream.get("sample_rate", 0)), stream.get("channels", 0)
            track.priming = max(0.0, -float(stream.get("start_time", 0)))
            # ffmpeg decodes the last packet whole, also where an edit ends within it.
            track.told = float(stream["duration"]) if "mov" in container and "duration" in stream else None
        if kind == "subtitle":
            read_subtitle(path, stream, track, limit)
        elif track.codec != "unknown":
            decoded.append((stream["index"], track))
    decode(path, decoded, media, limit)
    return media


def decode(path, streams, media, limit):
    """Counts frames and seconds. A decoder that is missing stops ffmpeg: then each track is tried by itself."""
    if not streams:
        return
    maps = [word for index, _ in streams for word in ("-map", f"0:{index}")]
    answer = run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, *maps, "-fps_mode", "passthrough", "-enc_time_base:v", "1:90000",
                  "-c:v", "rawvideo", "-c:a", "pcm_s16le", "-max_muxing_queue_size", "100000", "-f", "framecrc", "-"], limit)
    text = answer.stdout.decode(errors="replace")
    if not re.search(r"^\d+,", text, re.M) and len(streams) > 1:
        for one in streams:
            decode(path, [one], media, limit)
        return
    media.complaints += answer.stderr.decode(errors="replace")
    clocks = {int(number): int(top) / int(bottom)
              for number, top, bottom in re.findall(r"^#tb (\d+): (\d+)/(\d+)", text, re.M)}
    lengths = {}
    for number, _, begin, length, size in re.findall(r"^(\d+),\s*(-?\d+),\s*(-?\d+),\s*(\d+),\s*(\d+)", text, re.M):
        if int(size) == 0:
            continue
        track, clock = streams[int(number)][1], clocks[int(number)]
        begin, length = int(begin) * clock, int(length) * clock
        track.count += 1
        track.begin = begin if track.begin is None else min(track.begin, begin)
        track.end = begin + length if track.end is None else max(track.end, begin + length)
        track.audio += length if track.kind == "audio" else 0
        lengths.setdefault(int(number), []).append(length)
    for number, all_lengths in lengths.items():
        streams[number][1].grain = sorted(all_lengths)[len(all_lengths) // 2]


def seconds(clock):
    hours, minutes, rest = clock.replace(",", ".").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def plain(text):
    return " ".join(re.sub(r"<[^>]*>|\{\\[^}]*\}", "", text).replace("\\h", " ").split())


def read_subtitle(path, stream, track, limit):
    if track.codec not in TEXT_CODECS:
        answer = run(["ffprobe", "-v", "error", "-count_packets", "-select_streams", str(stream["index"]), "-show_entries",
                      "stream=nb_read_packets", "-of", "csv=p=0", path], limit)
        # Of a transport stream it is told twice: of the program and of the file.
        numbers = re.findall(r"\d+", answer.stdout.decode())
        track.count = int(numbers[0]) if numbers else 0
        return
    answer = run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", f"0:{stream['index']}", "-c:s", "srt", "-f",
                  "srt", "-"], limit)
    text = answer.stdout.decode(errors="replace")
    for cue in re.split(r"\n\s*\n(?=\d+\s*\n\d+:)", text):
        match = re.search(r"^([\d:,]+) --> ([\d:,]+)[^\n]*\n?(.*)", cue, re.M | re.S)
        if match and plain(match[3]):
            track.cues.append((seconds(match[1]), seconds(match[2]), plain(match[3])))
    track.count = len(track.cues)

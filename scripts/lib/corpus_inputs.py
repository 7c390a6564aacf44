"""Makes inputs of the classes that once lost something in an export, for scripts/corpus --made."""

import os
import struct
import subprocess
import tempfile

import fork_server  # beside this script

VIDEO = "testsrc2=size=192x108:rate=30:duration={seconds}"
AUDIO = "sine=frequency=440:sample_rate={rate}:duration={seconds}"
H264 = "-c:v libx264 -preset ultrafast -g 12 -bf 2 -pix_fmt yuv420p"
MPEG2 = "-c:v mpeg2video -g 12 -pix_fmt yuv420p"
AAC = "-c:a aac"
# PAL, as DV and MXF want it.
PAL = "scale=720:576,fps=25,setsar=16/15"


# One or two of each class, for every run of the tests; others are made of some of them.
QUICK = {
    "h264-aac.flv", "raw.dv", "dts.ts", "latm.ts", "mpeg2-ac3.mpg", "mpeg4-mp3.avi", "partly-fragmented.mp4", "adpcm.wav",
    "96000.wav", "96000-flac.mkv", "timecode.mov", "timecode.mxf", "whole.mp4", "edits.mp4", "edits.mkv", "bottom-first.mpg",
    "uneven.mkv", "turned.mp4", "full-range.mp4", "languages.ts", "languages-ac3.mkv", "roles.mkv", "original.mkv",
    "video.mp4", "srt-overlapping.mkv", "text-long.mp4", "pgs.mkv", "dvb.ts", "chapters.mkv", "hev1.mp4", "untold-alpha.webm",
    "no-lengths.ts", "delimiter.h264", "short-header.mp4", "chapters.mp3", "late-tracks.mkv", "24-bit.mov", "tables-change.ts",
    "lost-packets.ts", "tta.mka", "flac.nut", "one.ac3", "adx.adx", "video.nut", "r210.mov", "lpcm.m2ts", "two-movies.mkv", "two-kinds.mp3", "damaged.flv"}


def quick():
    """The names of QUICK; where a run of scripts/test has a turn, every other one, which of them changes with each commit, and what
    others are made of."""
    names, turn = sorted(QUICK), os.environ.get("RUSHES_TURN")
    return {"whole.mp4", "video.mp4", *names[int(turn) % 2::2]} if turn else set(names)


def ffmpeg(*words):
    subprocess.run([fork_server.client("ffmpeg"), "-nostdin", "-v", "error", "-y", *words], check=True, stdin=subprocess.DEVNULL)


class Folder:
    """Where the inputs go, and what they are made of."""

    def __init__(self, path, parts, only=None):
        self.path, self.parts, self.only = path, parts, only

    def wants(self, name):
        return self.only is None or name in self.only

    def part(self, name):
        return os.path.join(self.parts, name)

    def made(self, name, words, audio=True, seconds=2, rate=48000, filters=None):
        """A test pattern and a tone."""
        if not self.wants(name):
            return
        inputs = ["-f", "lavfi", "-i", VIDEO.format(seconds=seconds)]
        if audio:
            inputs += ["-f", "lavfi", "-i", AUDIO.format(rate=rate, seconds=seconds)]
        ffmpeg(*inputs, *(["-vf", filters] if filters else []), "-threads", "1", *words.split(),
               os.path.join(self.path, name))

    def tone(self, name, words, rate=48000, seconds=2):
        if not self.wants(name):
            return
        ffmpeg("-f", "lavfi", "-i", AUDIO.format(rate=rate, seconds=seconds), *words.split(),
               os.path.join(self.path, name))

    def joined(self, name, words, *inputs):
        """Of files that were made, by name, or of parts."""
        if not self.wants(name):
            return
        paths = [self.part(one) if os.path.exists(self.part(one)) else os.path.join(self.path, one) for one in inputs]
        ffmpeg(*[word for path in paths for word in ("-i", path)], *words.split(), os.path.join(self.path, name))


# The cues of all texts. Those of the second overlap; the last of the third is shown longer than the video.
CUES = {
    "plain": [(0.2, 0.6, "One"), (0.8, 1.2, "Two & three"), (1.4, 1.8, "Grüße")],
    "overlapping": [(0.2, 1.4, "First"), (0.8, 1.8, "Second")],
    "long": [(0.3, 0.9, "Soon"), (1.5, 5.0, "Long after the video")],
}


def clock(time, comma):
    return f"{int(time // 3600):02}:{int(time // 60) % 60:02}:{int(time) % 60:02}{comma}{round(time * 1000) % 1000:03}"


def write_texts(folder):
    for name, cues in CUES.items():
        with open(folder.part(f"{name}.srt"), "w", encoding="utf-8") as file:
            for number, (begin, end, text) in enumerate(cues, 1):
                file.write(f"{number}\n{clock(begin, ',')} --> {clock(end, ',')}\n{text}\n\n")
        with open(folder.part(f"{name}.vtt"), "w", encoding="utf-8") as file:
            file.write("WEBVTT\n\n")
            for begin, end, text in cues:
                file.write(f"{clock(begin, '.')} --> {clock(end, '.')}\n{text.replace('&', '&amp;')}\n\n")


def pgs(cues, size=(192, 108)):
    """Subtitles as Blu-ray has them (SUP): a white bar for each cue."""
    width, height = 60, 8
    data = b""

    def segment(kind, time, payload):
        return b"PG" + struct.pack(">IIBH", round(time * 90000), 0, kind, len(payload)) + payload

    for number, (begin, end) in enumerate(cues):
        window = struct.pack(">BBHHHH", 1, 0, 64, 90, width, height)
        composition = struct.pack(">HHBHBBBB", *size, 0x10, 2 * number, 0x80, 0, 0, 1) + struct.pack(">HBBHH", 0, 0, 0, 64, 90)
        # Runs of colour 1 as long as a line (63 at most), and the line's end.
        pixels = (bytes([0, 0x80 | width, 1]) + b"\0\0") * height
        image = struct.pack(">HBB", 0, 0, 0xC0) + (len(pixels) + 4).to_bytes(3, "big") + struct.pack(">HH", width, height)
        data += segment(0x16, begin, composition) + segment(0x17, begin, window)
        data += segment(0x14, begin, bytes([0, 0, 1, 235, 128, 128, 255])) + segment(0x15, begin, image + pixels)
        data += segment(0x80, begin, b"")
        nothing = struct.pack(">HHBHBBBB", *size, 0x10, 2 * number + 1, 0, 0, 0, 0)
        data += segment(0x16, end, nothing) + segment(0x17, end, window) + segment(0x80, end, b"")
    return data


def write_images_of_text(folder):
    with open(folder.part("images.sup"), "wb") as file:
        file.write(pgs([(0.2, 0.6), (0.8, 1.2), (1.4, 1.8)]))


def containers(folder):
    folder.made("h264-aac.flv", f"{H264} {AAC} -ar 44100")
    folder.made("sorenson-mp3.flv", "-c:v flv -c:a libmp3lame -ar 44100")
    folder.made("raw.dv", "-c:v dvvideo -pix_fmt yuv420p -c:a pcm_s16le -ac 2 -ar 48000 -f dv", filters=PAL)
    folder.made("dts.ts", f"{H264} -c:a dca -strict -2 -ac 2")
    folder.made("latm.ts", f"{H264} {AAC} -mpegts_flags latm")
    folder.made("mpeg2-mp2.ts", f"{MPEG2} -c:a mp2")
    folder.made("mpeg2-ac3.mpg", f"{MPEG2} -c:a ac3 -f vob")
    folder.made("mpeg4-mp3.avi", "-c:v mpeg4 -g 12 -c:a libmp3lame")
    folder.made("h264-pcm.avi", f"{H264} -c:a pcm_s16le")
    folder.made("mjpeg-pcm.avi", "-c:v mjpeg -pix_fmt yuvj420p -c:a pcm_s16le")
    folder.made("wmv2-wma.wmv", "-c:v wmv2 -c:a wmav2")
    folder.made("vp9-opus.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus")
    folder.made("theora-vorbis.ogv", "-c:v libtheora -c:a libvorbis")
    folder.made("partly-fragmented.mp4", f"{H264} {AAC} -movflags frag_keyframe")
    folder.made("fragmented.mp4", f"{H264} {AAC} -movflags frag_keyframe+empty_moov")
    folder.made("last-frame.mp4", f"{H264} {AAC}", seconds=3)
    folder.tone("adpcm.wav", "-c:a adpcm_ima_wav")
    folder.tone("audio.ac3", "-c:a ac3")
    folder.tone("audio.mp3", "-c:a libmp3lame")


def rates(folder):
    folder.tone("96000.wav", "-c:a pcm_s24le", rate=96000)
    folder.tone("192000.flac", "-c:a flac", rate=192000)
    folder.made("96000-pcm.mov", f"{H264} -c:a pcm_s16le", rate=96000)
    folder.made("96000-flac.mkv", f"{H264} -c:a flac", rate=96000)
    folder.made("96000-aac.mp4", f"{H264} {AAC}", rate=96000)
    folder.made("six-channels.mov", f"{H264} {AAC} -ac 6")


def times(folder):
    folder.made("timecode.mov", f"{H264} {AAC} -timecode 01:02:03:04")
    folder.made("timecode.mxf", "-c:v mpeg2video -pix_fmt yuv420p -c:a pcm_s16le -timecode 01:02:03:04", filters=PAL)
    folder.made("timecode.ts", f"{MPEG2} -c:a mp2 -timecode 01:02:03:04")
    folder.made("whole.mp4", f"{H264} {AAC}", seconds=5)
    folder.made("whole-hevc.mov", "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1:keyint=25 -tag:v hvc1 "
                f"{AAC}", seconds=5)
    for name, source in [("edits.mp4", "whole.mp4"), ("edits.mov", "whole.mp4"), ("edits-hevc.mov", "whole-hevc.mov"),
                         ("edits.mkv", "whole.mp4")]:
        if folder.wants(name):
            ffmpeg("-ss", "1.7", "-i", os.path.join(folder.path, source), "-c", "copy", os.path.join(folder.path, name))
    folder.made("bottom-first.mov", f"{H264} -x264-params bff=1 {AAC}", filters="setfield=bff")
    folder.made("bottom-first.mpg", f"{MPEG2} -flags +ildct+ilme -c:a mp2 -f vob", filters="setfield=bff")
    folder.made("top-first.ts", f"{MPEG2} -flags +ildct+ilme -c:a mp2", filters="setfield=tff")
    folder.made("uneven.mkv", f"{H264} {AAC} -fps_mode vfr", filters="select='not(between(n,20,31))*mod(n+1,7)'")
    folder.made("late-audio.mkv", f"{H264} {AAC} -af adelay=0")
    folder.made("turned.mp4", f"{H264} {AAC} -metadata:s:v rotate=90")


def foreign(folder):
    """As other programs write them."""
    folder.made("hev1.mp4", f"-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1 -tag:v hev1 {AAC}")
    # Chrome calls frames transparent that are not.
    folder.made("untold-alpha.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -metadata:s:v alpha_mode=1 -c:a libopus")
    # Frames whose length nothing tells.
    folder.made("no-lengths.ts", "-c:v mpeg4 -g 12 -q:v 3", audio=False)
    folder.made("24-bit.mov", f"{H264} -c:a pcm_s24le")
    folder.made("24-bit-flac.mkv", f"{H264} -c:a flac -sample_fmt s32")
    folder.made("delimiter.h264", f"{H264} -bf 0 -bsf:v h264_metadata=aud=insert", audio=False)
    if folder.wants("delimiter.h264"):
        # Cut before the next frame.
        with open(os.path.join(folder.path, "delimiter.h264"), "ab") as file:
            file.write(bytes([0, 0, 0, 1, 9, 0xF0]))
    folder.made("short-header.mp4", f"{H264} -bf 0 {AAC}", seconds=3)
    if folder.wants("short-header.mp4"):
        shorten_headers(os.path.join(folder.path, "short-header.mp4"))
    folder.made("late-tracks.mkv", f"{H264} {AAC}")
    if folder.wants("late-tracks.mkv"):
        move_tracks(os.path.join(folder.path, "late-tracks.mkv"))


def decoded(folder):
    """What libavformat reads, as GStreamer does not, or gives other colors or times."""
    for name, words in {
            "video.nut": "-c:v ffv1 -c:a flac", "live.wtv": f"{MPEG2} -c:a mp2", "mpeg2.gxf": f"{MPEG2} -s 720x576 -c:a pcm_s16le",
            "movie.swf": "-c:v flv -c:a libmp3lame -ar 44100", "game.roq": "-c:v roqvideo -r 30 -s 160x128 -c:a roq_dpcm -ar 22050",
            "dv50.dv": "-c:v dvvideo -pix_fmt yuv422p -s 720x576 -r 25 -t 1.8 -f dv -c:a pcm_s16le -ac 2", "svq1.mkv": "-c:v svq1 -pix_fmt yuv410p -c:a flac",
            "tiff.mov": "-c:v tiff -pix_fmt rgb24 -c:a pcm_s16le", "r210.mov": "-c:v r210 -pix_fmt gbrp10le -c:a pcm_s16le",
            "v308.mov": "-c:v v308 -c:a pcm_s16le", "top-down.avi": "-c:v rawvideo -pix_fmt bgr24 -c:a pcm_s16le",
            "lpcm.vob": f"{MPEG2} -c:a pcm_dvd -ac 2 -f vob", "lpcm.m2ts": f"{H264} -c:a pcm_bluray -ac 2 -mpegts_m2ts_mode 1",
            "tta.mkv": f"{H264} -c:a tta"}.items():
        folder.made(name, words)
    folder.made("animated.apng", "-c:v apng -f apng", audio=False)
    folder.made("ten-bit.y4m", "-f yuv4mpegpipe -pix_fmt yuv420p10le -strict -1", audio=False)


def audio_alone(folder):
    """What GStreamer has no demuxer or no decoder for."""
    for name, words in {
            "bare.mlp": "-c:a mlp -strict -2", "bare.thd": "-f truehd -c:a truehd -strict -2", "tta.mka": "-c:a tta",
            "mlp.mka": "-c:a mlp -strict -2", "adx.adx": "", "ast.ast": "", "aptx.aptx": "-ac 2", "g722.g722": "-ar 16000", "gsm.gsm": "-ar 8000",
            "ima.aiff": "-c:a adpcm_ima_qt", "ircam.sf": "-f ircam -c:a pcm_mulaw", "g726.au": "-c:a adpcm_g726le -ar 8000 -b:a 32k",
            "gsm.caf": "-c:a libgsm -ar 8000", "mp3.caf": "-c:a libmp3lame", "ac3.caf": "-c:a ac3", "flac.w64": "-c:a flac", "flac.wav": "-c:a flac",
            "eac3.wav": "-c:a eac3", "yamaha.wav": "-c:a adpcm_yamaha", "flac.nut": "-c:a flac", "daud.302": "-f daud -ar 96000 -ac 6",
            "one.ac3": "-t 0.03 -ac 2 -c:a ac3", "one.eac3": "-t 0.03 -ac 2 -c:a eac3", "one.m4a": "-t 0.05 -c:a alac", "sox.sox": "", "rso.rso": ""}.items():
        folder.tone(name, words)


def shorten_headers(path):
    """Says in the headers of tracks that they end after two thirds of their samples, as iPhones do of audio that begins late."""
    with open(path, "rb") as file:
        data = bytearray(file.read().replace(b"edts", b"free"))
    place = data.find(b"mdhd")
    while place > 0:
        length = int.from_bytes(data[place + 20:place + 24], "big")
        data[place + 20:place + 24] = (length * 2 // 3).to_bytes(4, "big")
        place = data.find(b"mdhd", place + 4)
    with open(path, "wb") as file:
        file.write(data)


def move_tracks(path):
    """Puts the tracks of a Matroska file behind its clusters, as mkvmerge does with those that are edited."""
    with open(path, "rb") as file:
        data = file.read()

    def element(name, payload):
        return bytes.fromhex(name) + (1 << 56 | len(payload)).to_bytes(8, "big") + payload

    def end(start, name):
        place = start + len(name) // 2
        width = 9 - data[place].bit_length()
        return place + width + (int.from_bytes(data[place:place + width], "big") & ~(1 << 7 * width))

    segment = data.index(bytes.fromhex("18538067")) + 12
    tracks = data.rindex(bytes.fromhex("1654ae6b"), 0, data.index(bytes.fromhex("1f43b675")))
    rest = data[segment:tracks] + element("ec", bytes(end(tracks, "1654ae6b") - tracks - 9)) + data[end(tracks, "1654ae6b"):]
    # The list at the beginning says where they are, and nothing else.
    seek = element("53ab", bytes.fromhex("1654ae6b")) + element("53ac", len(rest).to_bytes(8, "big"))
    head = element("114d9b74", element("4dbb", seek))
    room = end(segment, "114d9b74") - segment - len(head)
    moved = head + element("ec", bytes(room - 9)) + rest[len(head) + room:] + data[tracks:end(tracks, "1654ae6b")]
    with open(path, "wb") as file:
        file.write(data[:segment - 8] + (1 << 56 | len(moved)).to_bytes(8, "big") + moved)


def transport(folder):
    """Streams whose tables change on the way, and one that lacks packets."""
    parts = [("video-begins.ts", f"-an {H264}"), ("audio-begins.ts", f"{H264} {AAC}"),
             ("two-languages.ts", f"-map 0:v -map 1:a -map 1:a {H264} {AAC}"), ("one-language.ts", f"{H264} {AAC}")]
    for name, first, second in [("tables-change.ts", 0, 1), ("language-added.ts", 3, 2), ("language-gone.ts", 2, 3)]:
        if not folder.wants(name):
            continue
        data = b""
        for part, words in (parts[first], parts[second]):
            # The one that comes second goes on in time.
            offset = "2" if data else "0"
            made = folder.part(part)
            ffmpeg("-f", "lavfi", "-i", VIDEO.format(seconds=2), "-f", "lavfi", "-i", AUDIO.format(rate=48000, seconds=2),
                   "-threads", "1", *words.split(), "-output_ts_offset", offset, made)
            with open(made, "rb") as file:
                data += file.read()
        with open(os.path.join(folder.path, name), "wb") as file:
            file.write(data)
    folder.made("lost-packets.ts", f"{H264} {AAC}")
    if folder.wants("lost-packets.ts"):
        lose_packets(os.path.join(folder.path, "lost-packets.ts"))


def lose_packets(path):
    """Takes out three packets of the video that lie behind each other, in two places."""
    with open(path, "rb") as file:
        data = file.read()
    packets = [data[place:place + 188] for place in range(0, len(data), 188)]
    for start in (len(packets) // 3, len(packets) * 2 // 3):
        place = next(index for index in range(start, len(packets))
                     if all(packet[1:3] == b"\x01\x00" for packet in packets[index:index + 3]))
        del packets[place:place + 3]
    with open(path, "wb") as file:
        file.write(b"".join(packets))


def looks(folder):
    hevc = "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1 -tag:v hvc1"
    pq = "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -pix_fmt yuv420p10le"
    folder.made("pq.mp4", f"{hevc} {pq} {AAC}")
    folder.made("pq.mkv", f"{hevc} {pq} {AAC}")
    folder.made("bt601.mov", f"{H264} -color_primaries smpte170m -color_trc smpte170m -colorspace smpte170m {AAC}")
    folder.made("full-range.mp4", f"{H264} -color_range pc -pix_fmt yuvj420p {AAC}")
    folder.made("wide.mkv", f"{H264} {AAC}", filters="setsar=4/3")


def languages(folder):
    two = "-map 0:v -map 1:a -map 1:a -metadata:s:a:0 language=ger -metadata:s:a:1 language=fre"
    folder.made("languages.mkv", f"{two} {H264} {AAC}")
    folder.made("languages.mp4", f"{two} {H264} {AAC}")
    folder.made("languages.ts", f"{two} {H264} {AAC}")
    folder.made("languages-ac3.mkv", f"{two} {H264} -c:a ac3")
    roles = f"{two} -disposition:a:0 default+dub+hearing_impaired -disposition:a:1 comment+visual_impaired"
    folder.made("roles.mkv", f"{roles} {H264} {AAC}")
    folder.made("roles.mp4", f"{roles} {H264} {AAC}")
    folder.made("roles.ts", f"{roles} {H264} {AAC}")
    folder.made("original.mkv", f"{two} -disposition:a:1 original {H264} {AAC}")


def subtitles(folder):
    write_texts(folder)
    write_images_of_text(folder)
    folder.made("video.mp4", f"{H264} {AAC}")
    copied = "-map 0 -map 1 -c copy -metadata:s:s:0 language=ger"
    for name in CUES:
        folder.joined(f"srt-{name}.mkv", copied, "video.mp4", f"{name}.srt")
        folder.joined(f"ass-{name}.mkv", f"{copied} -c:s ass", "video.mp4", f"{name}.srt")
        folder.joined(f"vtt-{name}.mkv", f"{copied} -c:s webvtt", "video.mp4", f"{name}.vtt")
        folder.joined(f"text-{name}.mp4", f"{copied} -c:s mov_text", "video.mp4", f"{name}.srt")
    folder.joined("text-plain.mov", f"{copied} -c:s mov_text", "video.mp4", "plain.srt")
    folder.joined("two-languages.mkv", "-map 0 -map 1 -map 2 -c copy -c:s srt -metadata:s:s:0 language=ger "
                  "-metadata:s:s:1 language=jpn", "video.mp4", "plain.srt", "overlapping.srt")
    folder.joined("pgs.mkv", copied, "video.mp4", "images.sup")
    if folder.wants("vobsub.mkv"):
        ffmpeg("-i", os.path.join(folder.path, "video.mp4"), "-fix_sub_duration", "-i", folder.part("images.sup"),
               *f"{copied} -c:s dvdsub".split(), os.path.join(folder.path, "vobsub.mkv"))
    folder.joined("vobsub.mp4", "-map 0 -c copy", "vobsub.mkv")
    folder.joined("dvb.ts", f"{copied} -c:s dvbsub", "video.mp4", "images.sup")
    chapters = folder.part("chapters.txt")
    with open(chapters, "w", encoding="utf-8") as file:
        file.write(";FFMETADATA1\n" + "".join(
            f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={start + 700}\ntitle=Part {start}\n" for start in (0, 700, 1400)))
    folder.joined("chapters.mkv", "-map 0 -map_metadata 1 -map_chapters 1 -c copy", "video.mp4", "chapters.txt")
    if folder.wants("chapters.mp3"):
        ffmpeg("-f", "lavfi", "-i", AUDIO.format(rate=44100, seconds=2), "-i", chapters, "-map_metadata", "1", "-map_chapters", "1",
               os.path.join(folder.path, "chapters.mp3"))
    folder.joined("chapters.mp4", "-map 0 -map_metadata 1 -map_chapters 1 -c copy", "video.mp4", "chapters.txt")


def put_together(folder):
    """Files behind each other, and one that is damaged."""
    def written(name, *pieces):
        with open(os.path.join(folder.path, name), "wb") as file:
            file.write(b"".join(pieces))

    def bytes_of(name):
        with open(folder.part(name), "rb") as file:
            return file.read()

    parts = Folder(folder.parts, folder.parts)
    if folder.wants("two-movies.mkv"):
        parts.made("one.mkv", f"{H264} {AAC}")
        written("two-movies.mkv", bytes_of("one.mkv"), bytes_of("one.mkv"))
    if folder.wants("two-movies.mp4"):
        parts.made("one.mp4", f"{H264} {AAC}")
        written("two-movies.mp4", bytes_of("one.mp4"), bytes_of("one.mp4"))
    if folder.wants("two-kinds.mp3"):
        parts.tone("one.mp3", "-c:a libmp3lame -metadata title=One")
        parts.tone("other.mp3", "-c:a libmp3lame -metadata title=Two", rate=44100)
        written("two-kinds.mp3", bytes_of("one.mp3"), bytes_of("other.mp3"))
    if folder.wants("damaged.flv"):
        parts.made("one.flv", f"{H264} {AAC} -ar 44100")
        data = bytes_of("one.flv")
        half = len(data) // 2
        written("damaged.flv", data[:half], bytes(3000), data[half + 3000:])
    for ending, words in [("mxf", "-c:v mpeg2video -c:a pcm_s16le"), ("ogv", "-c:v libtheora -c:a libvorbis")]:
        if folder.wants(f"two-movies.{ending}"):
            parts.made(f"one.{ending}", words)
            written(f"two-movies.{ending}", bytes_of(f"one.{ending}"), bytes_of(f"one.{ending}"))
    for ending, words in [("ogg", "-c:a libvorbis"), ("flac", "-c:a flac")]:
        if folder.wants(f"two-tones.{ending}"):
            parts.tone(f"one.{ending}", words)
            written(f"two-tones.{ending}", bytes_of(f"one.{ending}"), bytes_of(f"one.{ending}"))
    for ending, words in [("tta", "-c:a tta"), ("caf", "-c:a pcm_s16be"), ("wav", "-c:a pcm_s16le")]:
        if folder.wants(f"cut.{ending}"):
            parts.tone(f"one.{ending}", words)
            written(f"cut.{ending}", bytes_of(f"one.{ending}")[:len(bytes_of(f"one.{ending}")) * 3 // 5])
    if folder.wants("cut.dv"):
        parts.made("one.dv", "-t 1.5 -s 720x576 -r 25 -pix_fmt yuv420p -ac 2 -c:v dvvideo -c:a pcm_s16le")
        written("cut.dv", bytes_of("one.dv")[:20 * 144_000 + 5000])
    folder.made("surround.avi", "-c:v mpeg4 -ac 6 -c:a aac")


def make(path, only=None):
    """Makes all of them, or only those with these names; those that are there already are made anew."""
    os.makedirs(path, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rushes-corpus-") as parts:
        folder = Folder(path, parts, only)
        for one in (containers, rates, times, foreign, decoded, audio_alone, transport, looks, languages, subtitles, put_together):
            one(folder)

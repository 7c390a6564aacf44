"""Compares an output with its input, for scripts/corpus: what is lost, and which of it a line of Rushes names."""

import re

# In seconds. Audio: less than the shortest packet of any codec, and what a rounding of times costs.
AUDIO = 0.006
# More than primes a decoder of audio, which is heard where a container has no edits.
STEP = 0.050
# Samples that an encoder and a decoder of MP3 put around the audio, which are heard where a container has no edits.
AROUND_MP3 = 2800
# Samples of Musepack's synthesis, and of its last frame, which ffmpeg decodes with the audio and its own decoder leaves out.
AROUND_MUSEPACK = 1200
# A time may be rounded, and ffmpeg moves a text that begins before a movie's first frame.
CUE = 0.150

KINDS = {"video": r"frames?\b|video|preview|cover|program\b", "audio": r"audio|channels?\b|decod|program\b",
         "subtitle": r"subtitle|text|caption|'(subp|subt|sbtl|clcp)'"}
LOST = (r"left out|missing|omitted|cannot|could not|not kept|no place|is lost|ends early|damaged|dropped|nothing (here )?decodes"
        r"|without|cut off|no edit lists|no installed|not carried|are not|is not|becomes?\b|mixed|resampled|reduced|later|instead")
# What a line has to speak of, to have told the loss.
SUBJECTS = {
    "frames": r"frames?\b|ends early|cut off|part\b|field|edit",
    "length": r"audio|ends early|cut off|second|sample|edit",
    "step": r"audio|video|frame|later|early|edit", "language": r"language", "colours": r"colou?r|range|bit\b",
    "size": r"scaled|cut to|size|turned", "turn": r"turn|mirror|stored|rotat", "chapters": r"chapter", "timecode": r"time code",
    "rate": r"resampl|rate|Hz", "channels": r"channel|mixed", "tag": r"title|artist|album|genre|comment|copyright|tag",
    "cover": r"covers?\b", "role": r"no place for what .* is for"}
# What is done and not what is lost, whatever numbers are in the codecs' names.
SUMMARY = re.compile(r"(is|are) copied as (it is|they are)\b")


def told(subject, notes):
    """The line that names a loss of this kind, or None."""
    if subject in KINDS:
        return next((note for note in notes if re.search(KINDS[subject], note, re.I) and re.search(LOST, note, re.I)), None)
    return next((note for note in notes if re.search(SUBJECTS[subject], note, re.I)
                 and (subject not in ("frames", "length", "step") or re.search(LOST, note, re.I)
                      or re.search("[0-9]", note) and not SUMMARY.search(note))
                 and not re.fullmatch(r"All (?:other )?tracks are copied( as they are)?\.", note)), None)


def losses(before, after):
    """(subject, words) of whatever the output has not."""
    for kind in KINDS:
        # A track of which ffmpeg itself gets nothing is none that could be missed.
        had = [track for track in before.of(kind) if track.count or track.codec == "unknown"]
        has = after.of(kind)
        if len(has) < len(had):
            yield kind, f"{len(has)} of {len(had)} {kind} tracks ({', '.join(track.codec for track in had)})"
        for one, other in zip(had, has):
            yield from between(before, one, other)
    yield from steps(before, after)
    if before.timecode and after.timecode != before.timecode and "mov" in after.container:
        yield "timecode", f"time code {before.timecode} became {after.timecode or 'none'}"
    for name, text in before.tags.items():
        # ffmpeg calls a Vorbis comment's description a comment.
        new = after.tags.get(name, "")
        # Of several artists ffmpeg names one or all.
        if text != (after.description if name == "comment" else None) and not {*text.split(";")} <= {new, *new.split(";")}:
            yield "tag", f"{name} “{text[:40]}” became {after.tags.get(name, 'none')[:40]}"
    if after.covers < before.covers:
        yield "cover", f"{after.covers} of {before.covers} covers"
    if after.chapters < before.chapters:
        yield "chapters", f"{after.chapters} of {before.chapters} chapters"


def between(before, one, other):
    if one.language and one.language != other.language:
        yield "language", f"{one.name}: {one.language} became {other.language or 'none'}"
    for role in sorted(one.roles - other.roles):
        yield "role", f"{one.name}: {role} is lost"
    if one.kind == "subtitle":
        yield from cues(one, other)
        return
    if not one.count:
        return
    if not other.count:
        yield one.kind, f"{one.name}: nothing of it can be decoded"
        return
    if one.kind == "video":
        if other.count != one.count:
            yield "frames", f"{one.name}: {other.count} of {one.count} frames"
        if one.end is not None and abs((other.end - other.begin) - (one.end - one.begin)) > 2.5 * max(
                one.grain, other.grain, 0.02):
            yield "frames", f"{one.name}: {other.end - other.begin:.3f} of {one.end - one.begin:.3f} s"
        yield from looks(one, other)
    else:
        wanted = min(one.audio - one.priming, one.told if one.told else one.audio)
        # ffmpeg decodes what it gets of a packet that is cut off, and complains.
        wanted -= one.grain if before.complaints else 0
        if one.codec.startswith("musepack"):
            wanted -= AROUND_MUSEPACK / one.rate
        # What is decoded of an output's last packet need not be heard, and nor is silence up to a track's beginning a fault.
        heard = min(other.audio, other.told) if other.told else other.audio
        late = max(0, (one.begin or 0) - before.begin)
        most = one.audio + late + (max(0.1, AROUND_MP3 / one.rate) if other.codec == "mp3" and other.told is None else 0.1)
        # ffmpeg (5.1) decodes the first frame of a packet of AMR, which may have ten.
        if one.codec.startswith("amr"):
            most = max(most, (one.told or 0) + 0.1)
        if other.audio < wanted - AUDIO or heard > most:
            yield "length", f"{one.name}: {other.audio:.3f} of {one.audio:.3f} s of audio"
        # Opus is decoded at 48 kHz whatever went into it, and may be at that rate too.
        if other.rate < one.rate and other.rate < 44100 and one.codec != "opus":
            yield "rate", f"{one.name}: {other.rate} of {one.rate} Hz"
        if other.channels < one.channels:
            yield "channels", f"{one.name}: {other.channels} of {one.channels} channels"


def looks(one, other):
    for key, value in one.colours.items():
        if other.colours.get(key) != value:
            yield "colours", f"{one.name}: {key} {value} became {other.colours.get(key)}"
    if one.turn != other.turn:
        yield "turn", f"{one.name}: turned by {other.turn} and not {one.turn} degrees"
    (width, height), (new_width, new_height) = one.size, other.size
    if one.turn == other.turn and height and new_height and abs(
            width / height - new_width / new_height) > 0.02 * width / height:
        yield "size", f"{one.name}: {new_width:.0f}x{new_height} of {width:.0f}x{height}"


def cues(one, other):
    if not one.cues:
        if one.count > other.count:
            yield "subtitle", f"{one.name}: {other.count} of {one.count} subtitles"
        return
    for begin, end, text in one.cues:
        margin = min(CUE, (end - begin) / 2.5)
        for time in (begin + margin, (begin + end) / 2, end - margin):
            # Those that overlap may be shown as one.
            if not any(first <= time < last and text in words for first, last, words in other.cues):
                yield "subtitle", f"{one.name}: “{text[:30]}” is not shown at {time:.2f} s"
                return


def steps(before, after):
    """Whether tracks begin as far from each other as they did."""
    def first(media, kind):
        return next((track.begin for track in media.of(kind) if track.begin is not None), None)
    old, new = ((first(media, "video"), first(media, "audio")) for media in (before, after))
    if None in old or None in new:
        return
    distance = (new[1] - new[0]) - (old[1] - old[0])
    # A track that begins later may be given silence, or nothing, up to its beginning.
    if abs(distance) > STEP and abs(old[1] - old[0]) < STEP:
        yield "step", f"audio begins {new[1] - new[0]:+.3f} s from the video and not {old[1] - old[0]:+.3f} s"

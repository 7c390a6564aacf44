import Foundation

/// A Matroska or WebM file that ffmpeg makes for a test, once in a run.
struct MatroskaInput: Sendable, CustomStringConvertible {
    var description: String
    /// `mkv` or `webm`.
    var ending = "mkv"
    /// ffmpeg's, for testsrc2 of a rate and noise.
    var rate = "30000/1001"
    var options: String

    func url() async throws -> URL {
        try await CopyInput(description: description, ending: ending, options: options, rate: rate).url()
    }

    static let h264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 20 -bf 3"

    static let reordered = MatroskaInput(description: "reordered H.264, AAC 5.1", options: h264 + " -ac 6 -c:a aac")
    static let deep = MatroskaInput(
        description: "HEVC in 10 bit, HDR10, FLAC", rate: "24000/1001",
        options: "-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -x265-params "
            + "'log-level=none:hdr10=1:repeat-headers=0:bframes=4:max-cll=1000,400:master-display="
            + "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)' "
            + "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv -c:a flac")
    static let web = MatroskaInput(
        description: "VP9 and Opus", ending: "webm", rate: "25",
        options: "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p -c:a libopus")
    static let modern = MatroskaInput(
        description: "AV1 without audio", ending: "webm", rate: "60",
        options: "-map 0:v -c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p")
    static let audioTracks = MatroskaInput(
        description: "MP3, AC-3 and E-AC-3",
        options: "-map 0:v -map 1:a -map 1:a -map 1:a \(h264) -ac 2 -c:a:0 libmp3lame -c:a:1 ac3 -c:a:2 eac3")
    static let onlyAudio = MatroskaInput(description: "Opus alone", options: "-map 1:a -c:a libopus")
    static let variable = MatroskaInput(
        description: "a variable rate", rate: "30",
        options: #"-vf "select='not(mod(n\,3))+gt(n\,30)'" -fps_mode vfr \#(h264) -c:a aac"#)
    static let live = MatroskaInput(
        description: "sizes that are not known", options: "-live 1 -f matroska \(h264) -c:a aac")
    static let wide = MatroskaInput(
        description: "pixels that are not square, colours",
        options: h264
            + " -aspect 2:1 -color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range pc -c:a aac")
    static let told = MatroskaInput(
        description: "a title, a date, chapters, languages",
        options: #"-i <(printf ';FFMETADATA1\ntitle=My title\ncomment=What it shows\nlocation=+48.8577+002.2950/\n"#
            + #"creation_time=2026-11-21T13:03:22Z\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=One\n[CHAPTER]\n"#
            + #"TIMEBASE=1/1000\nSTART=900\nEND=2000\ntitle=Zwei\n') -map 0:v -map 1:a -map 1:a -map_metadata 2 "#
            + "-map_chapters 2 -metadata:s:a:0 language=ger -metadata:s:a:1 language=fra -metadata:s:a:1 title=Deux "
            + "-disposition:a:0 0 -disposition:a:1 default \(h264) -c:a aac")
    static let text = MatroskaInput(
        description: "subtitles",
        options: texts + #"Hello\n\n2\n00:00:01,000 --> 00:00:01,900\n<i>Wörld</i>, 1 < 2\nand more\n') "#
            + "-map 0:v -map 1:a -map 2:s -metadata:s:s language=swe \(h264) -c:a aac -c:s srt")
    static let styled = MatroskaInput(
        description: "styled subtitles",
        options: texts + #"Hello\n') -map 0:v -map 1:a -map 2:s \#(h264) -c:a aac -c:s ass"#)
    private static let texts = #"-i <(printf '1\n00:00:00,300 --> 00:00:00,800\n"#
    static let transparent = MatroskaInput(
        description: "VP9 with transparency", ending: "webm", rate: "25",
        options: "-map 0:v -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuva420p")
    static let pcm = MatroskaInput(description: "PCM", options: h264 + " -c:a pcm_s16le")

    static let copied = [reordered, deep, web, modern, audioTracks, onlyAudio, variable, live, wide, told]
}

import Foundation
import SystemPackage
import TestSupport

@testable import MovieFiles

/// A movie that ffmpeg makes for a test, once in a run.
struct CopyInput: Sendable, CustomStringConvertible {
    var description: String
    /// Of the file's name, which tells ffmpeg its kind.
    var ending: String
    var options: String
    /// Of the frames.
    var rate = "30000/1001"

    /// The file, which is the same for all tests.
    func url() async throws -> URL {
        try await Self.made.value("\(options).\(rate).\(ending)") {
            let url = Scratch.directory.unique(ending)
            try await Tool.shell(
                "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=\(rate):duration=2 "
                    + "-f lavfi -i anoisesrc=sample_rate=48000:duration=2:amplitude=0.1:seed=1 \(options) \(url.path)")
            return url
        }
    }

    private static let made = Made<String, URL>()

    private static let h264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 20 -bf 2"
    private static let texts =
        #"-i <(printf '1\n00:00:00,300 --> 00:00:00,800\nHello\n\n2\n00:00:01,000 --> "#
        + #"00:00:01,900\nWörld\n') -i <(printf ';FFMETADATA1\ntitle=My title\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\n"#
        + #"END=900\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=900\nEND=2000\ntitle=Zwei\n') -map 0:v -map 1:a "#
        + "-map 2:s -map_metadata 3 -map_chapters 3 -c:s mov_text"

    static let aac = CopyInput(
        description: "reordered H.264, AAC 5.1, colours", ending: "mp4",
        options: h264 + " -ac 6 -c:a aac -color_primaries bt709 -color_trc bt709 -colorspace bt709")
    static let aacMov = CopyInput(
        description: "the same in QuickTime", ending: "mov",
        options: h264 + " -ac 6 -c:a aac -color_primaries bt709 -color_trc bt709 -colorspace bt709")
    static let pcm = CopyInput(
        description: "PCM in QuickTime", ending: "mov", options: h264 + " -ac 2 -c:a pcm_s24le")
    static let offset = CopyInput(
        description: "a movie that begins later", ending: "mp4", options: h264 + " -c:a aac -output_ts_offset 0.4")
    static let variable = CopyInput(
        description: "a variable rate", ending: "mp4",
        options: #"-vf "select='not(mod(n\,3))+gt(n\,30)'" -fps_mode vfr \#(h264) -c:a aac"#)
    static let hdr = CopyInput(
        description: "HEVC in 10 bit, HDR10", ending: "mp4",
        options: "-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -tag:v hvc1 -x265-params "
            + "'log-level=none:hdr10=1:repeat-headers=0:max-cll=1000,400:master-display="
            + "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)' "
            + "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -c:a aac")
    static let unedited = CopyInput(
        description: "reordered frames without edits", ending: "mp4", options: h264 + " -an -use_editlist 0")
    static let audioTracks = CopyInput(
        description: "AC-3, E-AC-3, ALAC and MP3", ending: "mp4",
        options: "-map 0:v -map 1:a -map 1:a -map 1:a -map 1:a \(h264) -ac 2 -c:a:0 ac3 -c:a:1 eac3 -c:a:2 alac "
            + "-c:a:3 libmp3lame")
    static let audioMov = CopyInput(
        description: "the same in QuickTime", ending: "mov",
        options: "-map 0:v -map 1:a -map 1:a -map 1:a -map 1:a \(h264) -ac 2 -c:a:0 ac3 -c:a:1 eac3 -c:a:2 alac "
            + "-c:a:3 libmp3lame")
    static let fastAudio = CopyInput(
        description: "AAC at 96 kHz", ending: "mp4", options: h264 + " -ac 2 -c:a aac -ar 96000")
    static let text = CopyInput(
        description: "subtitles, chapters and a title", ending: "mp4", options: texts + " \(h264) -c:a aac")
    static let textMov = CopyInput(
        description: "the same in QuickTime", ending: "mov", options: texts + " \(h264) -c:a aac")
    static let modern = CopyInput(
        description: "AV1, Opus and FLAC", ending: "mp4",
        options:
            "-map 0:v -map 1:a -map 1:a -c:v libaom-av1 -cpu-used 8 -usage realtime -c:a:0 libopus -ac 2 -c:a:1 flac"
            + " -strict -2")
    static let fragments = CopyInput(
        description: "ffmpeg's fragments", ending: "mp4",
        options: h264 + " -c:a aac -movflags frag_keyframe+delay_moov+default_base_moof")

    /// What both kinds of file hold.
    static let fittingBoth = [
        aac, aacMov, offset, variable, hdr, audioTracks, audioMov, fastAudio, text, textMov,
    ]
}

extension MovieCopy {
    /// Copies for a test, into a file of a name of its own.
    static func copied(_ input: URL, _ options: Options) throws -> (url: URL, copy: MovieCopy) {
        let url = Scratch.directory.unique(options.fileType?.rawValue ?? input.pathExtension)
        return (url, try copy(FilePath(input.path), to: FilePath(url.path), options: options))
    }
}

import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("MovieInfo")
struct MovieInfoTests {
    @Test("agrees with ffprobe and mediainfo on a finished recording", arguments: Recording.all)
    func finishedRecording(_ recording: Recording) async throws {
        let options = MovieFileWriter.Options(
            orientation: MovieOrientation(rotation: .threeQuarters), audioPriming: recording.audioPriming)
        let url = try await recording.written(options).url
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.fragmented == false)
        #expect(info.complete)
        try await expectAgreement(info, url)
        #expect(info.video.first?.rotation == 270)
        #expect(info.video.first?.displayWidth == 240)
    }

    @Test("tells the shape of H.263's pixels, of which no file has to tell")
    func shapeOfH263() async throws {
        let folder = try TemporaryFolder()
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=176x144:rate=25:duration=0.2 -c:v h263 \(folder.file("in.3gp"))"
        )
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.3gp")))
        // ffmpeg tells it all the same.
        if let place = bytes.firstRange(of: Data("pasp".utf8)) { bytes.replaceSubrange(place, with: Data("skip".utf8)) }
        try bytes.write(to: URL(filePath: folder.file("in.3gp")))
        let info = try MovieInfo(contentsOf: FilePath(folder.file("in.3gp")))
        #expect(info.video.first?.displayWidth == 192 && info.video.first?.displayHeight == 144)
    }

    @Test("names HEVC's profile of single images as the standard does")
    func stillProfile() async throws {
        let still = try EditedIndex.ofFrames(try await CopyInput.hdr.url()) { entry in
            for index in entry.extensions.indices where entry.extensions[index].type == "hvcC" {
                try entry.extensions[index].overwritePayload(at: 1, with: [3])
            }
        }
        #expect(try MovieInfo(contentsOf: FilePath(still.path)).video.first?.profile == "Main Still Picture")
    }

    @Test("agrees with ffprobe on fragments, and tells that they are", arguments: Recording.all)
    func fragments(_ recording: Recording) async throws {
        let url = try await recording.written(finishing: false).url
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.fragmented)
        #expect(info.complete)
        let finished = try await MovieInfo(contentsOf: FilePath(recording.written().url.path))
        // Without a length of its own an edit of a fragmented movie ends with the last sample; the movie's clock is
        // coarser than the track's.
        #expect(abs((info.duration - finished.duration).seconds) < 0.001)
        #expect(info.video.map(\.frameCount) == finished.video.map(\.frameCount))
        #expect(info.video.map(\.codec) == finished.video.map(\.codec))
        #expect(info.audio.map(\.bitRate) == finished.audio.map(\.bitRate))
    }

    @Test(
        "goes by the stream's own size, but where its last blocks are only filled up",
        arguments: [(352, 180), (316, 180)])
    func streamSize(told: (width: Int, height: Int)) async throws {
        let url = Scratch.directory.unique("mp4")
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=320x192:rate=25:duration=0.2 -c:v libx264 \(url.path)")
        var bytes = try Data(contentsOf: url)
        let entry = try #require(bytes.range(of: Data("avc1".utf8), options: .backwards))
        let place = entry.upperBound + 24
        #expect(bytes[place..<place + 4].elementsEqual([1, 64, 0, 192]))
        bytes.replaceSubrange(
            place..<place + 4,
            with: [UInt8(told.width >> 8), UInt8(told.width & 0xFF), 0, UInt8(told.height)])
        try bytes.write(to: url)
        let video = try #require(try MovieInfo(contentsOf: FilePath(url.path)).video.first)
        let judged = try #require(try await FFProbe.inspect(url.path).video.first)
        #expect(video.width == judged.width && video.height == judged.height, "\(video.width)×\(video.height)")
        #expect(video.width == (told.width == 316 ? 316 : 320))
    }

    @Test("goes by the shape of the pixels where the track's header tells another one")
    func pixelShape() async throws {
        let url = Scratch.directory.unique("mp4")
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=352x288:rate=25:duration=0.2 -vf setsar=16/11 "
                + "-c:v libx264 \(url.path)")
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).video.first?.displayWidth == 512)
        var bytes = try Data(contentsOf: url)
        // Width and height in 16.16 at the end of the header: as camcorders write them.
        let header = try #require(bytes.range(of: Data([0x02, 0, 0, 0, 0x01, 0x20, 0, 0])))
        bytes.replaceSubrange(header, with: [0x01, 0x60, 0, 0, 0x01, 0x20, 0, 0])
        try bytes.write(to: url)
        let video = try #require(try MovieInfo(contentsOf: FilePath(url.path)).video.first)
        #expect(video.displayWidth == 512 && video.displayHeight == 288)
    }

    @Test("counts an edit that lasts as long as the movie once where fragments follow")
    func fragmentsWithEditLength() async throws {
        let url = Scratch.directory.unique("mp4")
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=2 -c:v libx264 -bf 2 "
                + "-movflags frag_keyframe+delay_moov \(url.path)")
        var bytes = try Data(contentsOf: url)
        // As Flash Media Server writes it: version, flags and the number of edits come before the length.
        let edit = try #require(bytes.range(of: Data("elst".utf8))).upperBound
        bytes.replaceSubrange(edit + 8..<edit + 12, with: [0, 0, 0x07, 0xD0])
        try bytes.write(to: url)
        #expect(abs(try MovieInfo(contentsOf: FilePath(url.path)).duration.seconds - 2) < 0.01)
    }

    @Test("agrees with ffprobe and mediainfo on ffmpeg's movies", arguments: Cases.taken(of: Self.commands, most: 8))
    func ffmpegMovie(_ command: String) async throws {
        let ending = command.contains("prores") || command.contains("pcm") ? "mov" : "mp4"
        let url = Scratch.directory.unique(ending)
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=30000/1001:duration=1 "
                + "-f lavfi -i sine=frequency=440:sample_rate=48000:duration=1 \(command) \(url.path)")
        try await expectAgreement(try MovieInfo(contentsOf: FilePath(url.path)), url)
    }

    private static let audioTracks = [
        "ac3 -ac 1", "ac3 -ac 1 -ar 44100 -f mov", "ac3 -ac 6", "eac3 -ac 1", "eac3 -ac 6 -ar 32000",
        "alac -ac 6 -ar 96000", "alac -ac 1 -f mov", "flac -ac 1 -ar 96000 -strict -2", "libopus -ac 6",
        "libopus -ac 1", "libmp3lame -ac 2", "aac -ac 1 -ar 96000",
    ]
    private static let madeAudio = Made<String, [String: URL]>()

    /// The movies of all sounds, by one run of ffmpeg.
    @Sendable private static func makeAudio() async throws -> [String: URL] {
        let movies = Dictionary(uniqueKeysWithValues: audioTracks.map { ($0, Scratch.directory.unique("mp4")) })
        let outputs = movies.map { options, url in "-c:a \(options) \(url.path)" }
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i anoisesrc=sample_rate=48000:duration=0.3:seed=1 "
                + outputs.joined(separator: " "))
        return movies
    }

    @Test(
        "has the channels and the rate of audio from the decoder's configuration, as ffprobe does",
        arguments: audioTracks)
    func configuredAudio(_ options: String) async throws {
        let url = try #require(try await Self.madeAudio.value("sounds", Self.makeAudio)[options])
        let audio = try #require(try MovieInfo(contentsOf: FilePath(url.path)).audio.first)
        let theirs = try await #require(try Judge.ffprobe(url).audio)
        #expect(audio.channels == theirs.channels)
        #expect(String(audio.sampleRate) == theirs.sample_rate)
        #expect(audio.codec == theirs.codec_name)
    }

    static let commands = [
        "-c:v libx264 -pix_fmt yuv420p -bf 2 -preset ultrafast -c:a aac",
        "-c:v libx264 -pix_fmt yuv422p10le -preset ultrafast -c:a aac -ac 1",
        "-c:v libx264 -profile:v baseline -pix_fmt yuv420p -color_primaries bt709 -color_trc bt709 -colorspace bt709"
            + " -color_range tv -c:a aac",
        "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le -preset ultrafast -tag:v hvc1"
            + " -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv -c:a aac",
        // What the stream alone says of its colours, without a `colr` box.
        "-c:v libx264 -preset ultrafast -x264-params colorprim=bt709:transfer=bt709:colormatrix=bt709:fullrange=on"
            + " -pix_fmt yuv420p -c:a aac",
        "-c:v libx265 -preset fast -x265-params"
            + " log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:range=limited:scaling-list=default"
            + " -pix_fmt yuv420p10le -bf 3 -c:a aac",
        "-c:v libx264 -preset medium -x264-params colormatrix=smpte170m:cqm=jvt:interlaced=1 -pix_fmt yuv420p -c:a aac",
        "-c:v prores_ks -profile:v 4444 -pix_fmt yuv444p10le -c:a pcm_s24le",
        "-c:v prores_ks -profile:v proxy -pix_fmt yuv422p10le -c:a pcm_s16be -ac 6",
        "-c:v libaom-av1 -cpu-used 8 -usage realtime -c:a libopus",
        "-c:v libvpx-vp9 -deadline realtime -c:a flac -strict -2",
        "-c:v mjpeg -c:a pcm_f32le -ar 96000",
        "-c:v libx264 -pix_fmt yuv420p -preset ultrafast -aspect 16:9 -c:a aac -f mov",
        // A variable rate, several audio tracks, chapters, edits that delay everything.
        #"-vf "select='not(mod(n\,3))+gt(n\,20)'" -fps_mode vfr -c:v libx264 -pix_fmt yuv420p -bf 2 -c:a aac"#,
        "-map 0:v -map 1:a -map 1:a -map 1:a -c:v libx264 -pix_fmt yuv420p -preset ultrafast -c:a:0 aac -c:a:1 flac"
            + " -c:a:2 libopus -ac:a:2 2 -strict -2",
        #"-i <(printf ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=One\n[CHAPTER]\n"#
            + #"TIMEBASE=1/1000\nSTART=400\nEND=1000\ntitle=Zwei: “2”\n') -map 0:v -map 1:a -map_chapters 2"#
            + " -c:v libx264 -pix_fmt yuv420p -preset ultrafast -c:a aac",
        "-output_ts_offset 0.4 -c:v libx264 -pix_fmt yuv420p -preset ultrafast -bf 2 -c:a aac",
        "-c:v libx265 -x265-params log-level=none -pix_fmt yuv422p10le -preset ultrafast -bf 2 -tag:v hev1 -c:a aac",
    ]

    private func expectAgreement(_ info: MovieInfo, _ url: URL) async throws {
        let probe = try await Judge.ffprobe(url)
        expectClose(info.duration.seconds, probe.format.duration.flatMap(Double.init))
        #expect(info.bitRate.map(String.init) == probe.format.bit_rate)
        let video = try #require(info.video.first)
        let theirs = try #require(probe.video)
        #expect(video.codec == theirs.codec_name)
        #expect(video.codecTag == theirs.codec_tag_string)
        #expect(video.width == theirs.width)
        #expect(video.height == theirs.height)
        #expect(video.rotation == theirs.clockwiseRotation)
        #expect(String(video.frameCount) == theirs.nb_frames)
        expectClose(video.frameRate, theirs.averageRate)
        #expect(video.bitRate.map(String.init) == theirs.bit_rate)
        // What `colr` says is lost in ffprobe where the frames of ProRes and AV1 say "unspecified".
        if theirs.color_space != nil || !["prores", "av1"].contains(video.codec) {
            #expect(video.colorPrimaries == theirs.color_primaries)
            #expect(video.transfer == theirs.color_transfer)
            #expect(video.matrix == theirs.color_space)
        }
        #expect(video.range == theirs.color_range.map { $0 == "tv" ? "limited" : "full" })
        #expect(video.bitDepth == theirs.bitDepth)
        // Only its samples tell how a JPEG is coded.
        if video.codec != "mjpeg" { #expect(video.chroma == theirs.chroma) }
        if !["prores", "mjpeg"].contains(video.codec) { #expect(video.profile == theirs.profile) }
        if video.rotation != 0 {
            #expect(try await Judge.mediainfo(url, "Video", "Rotation") == "\(video.rotation).000")
        }
        if video.codec != "av1" {
            // mediainfo gives milliseconds.
            expectClose(
                video.duration.seconds, Double(try await Judge.mediainfo(url, "Video", "Duration")).map { $0 / 1000 },
                0.0011)
        }
        #expect(info.chapters.map(\.title) == (probe.chapters ?? []).map { $0.tags?["title"] ?? "" })
        for (own, other) in zip(info.chapters, probe.chapters ?? []) {
            expectClose(own.start.seconds, Double(other.start_time))
        }
        let audioTracks = probe.streams.filter { $0.codec_type == "audio" }
        #expect(info.audio.count == audioTracks.count)
        for (audio, theirAudio) in zip(info.audio, audioTracks) {
            #expect(audio.codec == theirAudio.codec_name)
            #expect(audio.codecTag == theirAudio.codec_tag_string)
            #expect(audio.channels == theirAudio.channels)
            #expect(String(audio.sampleRate) == theirAudio.sample_rate)
            #expect(audio.bitRate.map(String.init) == theirAudio.bit_rate)
        }
        // mediainfo gives the numbers of all tracks in one.
        guard let audio = info.audio.first, info.audio.count == 1 else { return }
        expectClose(
            audio.duration.seconds, Double(try await Judge.mediainfo(url, "Audio", "Duration")).map { $0 / 1000 },
            0.0011)
    }

    private func expectClose(
        _ value: Double?, _ other: Double?, _ tolerance: Double = 0.001,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let value, let other else {
            #expect(value == other, sourceLocation: sourceLocation)
            return
        }
        #expect(abs(value - other) <= tolerance, "\(value) and \(other)", sourceLocation: sourceLocation)
    }
}

extension Judge.Stream {
    fileprivate var averageRate: Double? {
        let parts = (avg_frame_rate ?? "").split(separator: "/").compactMap { Double($0) }
        return parts.count == 2 && parts[1] > 0 ? parts[0] / parts[1] : nil
    }

    fileprivate var bitDepth: Int? {
        guard let pix_fmt else { return nil }
        return pix_fmt.contains("p10") ? 10 : pix_fmt.contains("p12") ? 12 : 8
    }

    fileprivate var chroma: String? {
        guard let pix_fmt else { return nil }
        return pix_fmt.contains("444") ? "4:4:4" : pix_fmt.contains("422") ? "4:2:2" : "4:2:0"
    }
}

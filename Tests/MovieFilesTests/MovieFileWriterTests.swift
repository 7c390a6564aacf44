import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A movie written through MovieFileWriter")
struct MovieFileWriterTests {
    @Test("is an ordinary movie that decodes without a word", arguments: Recording.all)
    func finishedDecodes(_ recording: Recording) async throws {
        let (url, finished) = try await recording.written()
        try await Judge.decodesWithoutAWord(url)
        try await Judge.playsInGStreamer(url)
        let probe = try await Judge.ffprobe(url)
        #expect(try await Judge.mediainfo(url, "General", "IsTruncated") == "")
        let video = try #require(probe.video)
        let audio = try #require(probe.audio)
        #expect(Int(video.nb_frames ?? "") == finished?.tracks.first { $0.handler == "vide" }?.sampleCount)
        #expect(video.start == 0)
        #expect(audio.start == 0)
    }

    @Test("passes on what the codec says about light and mastering")
    func highDynamicRange() async throws {
        let stream = Scratch.directory.unique("mp4")
        let master =
            "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
        try await Tool.shell(
            "ffmpeg -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=1 -c:v libx265 -preset ultrafast "
                + "-x265-params 'log-level=none:hdr-opt=1:repeat-headers=0:\(master)' -pix_fmt yuv420p10le -tag:v hvc1 "
                + "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc "
                + "-movflags frag_keyframe+empty_moov+default_base_moof -write_tmcd 0 -strict -2 \(stream.path)")
        let url = Scratch.directory.unique("mp4")
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let writer = MovieFileWriter(descriptor: descriptor)
        try writer.append(inRandomPieces: [UInt8](Data(contentsOf: stream)), seed: 8)
        _ = try writer.finish()
        let entries = "stream=color_transfer,color_primaries,color_space:stream_side_data"
        func side(_ url: URL) async throws -> String {
            try await Tool.succeed("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "compact", url.path])
                .text
        }
        #expect(try await side(url) == side(stream))
        #expect(try await side(url).contains("smpte2084"))
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).video.first?.transfer == "smpte2084")
        // Whatever boxes a sample entry has, they stay byte for byte.
        let entry = Array("hvcC".utf8)
        let (before, after) = try (Data(contentsOf: stream), Data(contentsOf: url))
        let (from, to) = try (
            #require(before.range(of: Data(entry))), #require(after.range(of: Data(entry), options: .backwards))
        )
        #expect(before[from.lowerBound..<from.lowerBound + 80] == after[to.lowerBound..<to.lowerBound + 80])
    }

    @Test(
        "holds the packets, video and audio of the muxer's fragments as ffmpeg reads them", arguments: Recording.all)
    func sameAsFragments(_ recording: Recording) async throws {
        let url = try await recording.written().url
        let fragments = try await recording.written(finishing: false).url
        #expect(try await Judge.packets(url, "v") == Judge.packets(fragments, "v"))
        #expect(try await Judge.frames(url) == Judge.frames(fragments))
        #expect(try await Judge.packets(url, "a") == Judge.packets(fragments, "a"))
        // In fragments ffmpeg keeps what the encoder put first; in the movie an edit takes it away.
        let (audio, unedited) = try await (Judge.audio(url), Judge.audio(fragments))
        #expect(unedited.suffix(audio.count) == audio)
    }

    @Test("plays upright and in step after a kill that leaves the fragments", arguments: Recording.all)
    func killedIsUpright(_ recording: Recording) async throws {
        let options = MovieFileWriter.Options(
            orientation: MovieOrientation(rotation: .quarter), audioPriming: recording.audioPriming)
        let url = try await recording.written(options, finishing: false).url
        let probe = try await Judge.ffprobe(url)
        #expect(probe.video?.clockwiseRotation == 90)
        #expect(probe.video?.start == 0)
        // What the encoder put before the first audio lies before 0, so that the first audio lies at 0.
        let expected = -Double(recording.delay) / Double(try #require(Int(probe.audio?.sample_rate ?? "")))
        #expect(abs(try #require(probe.audio).start - expected) < 1e-5)
        try await Judge.decodesWithoutAWord(url)
    }
}

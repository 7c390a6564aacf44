import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("Recovery of a dead recording")
struct MovieRecoveryTests {
    /// Every fragment's boundary and five hundred other places with MOVIEFILES_LONG_TESTS set, else a few.
    static let isLong = ProcessInfo.processInfo.environment["MOVIEFILES_LONG_TESTS"] != nil

    @Test("yields every whole sample, wherever the file was cut", arguments: [Recording.hevc, .proRes])
    func everyCut(_ recording: Recording) async throws {
        let source = try await recording.written(finishing: false).url
        let stream = [UInt8](try Data(contentsOf: source))
        let packets = try await [Packet.all(in: source, "video"), Packet.all(in: source, "audio")]
        let ends = try KilledRecordingTests.boxEnds(stream, "mdat") + KilledRecordingTests.boxEnds(stream, "moof")
        let boundaries = ends.flatMap { [$0 - 1, $0, $0 + 1] }.filter { $0 <= stream.count }
        var random = SeededGenerator(state: 11)
        let cuts =
            (Self.isLong ? boundaries : Array(boundaries.shuffled(using: &random).prefix(8)))
            + (0..<(Self.isLong ? 500 : 8)).map { _ in Int.random(in: 0...stream.count, using: &random) }
        var outputs: [(url: URL, comment: Comment)] = []
        defer { for output in outputs { try? FileManager.default.removeItem(at: output.url) } }
        for cut in cuts {
            let dead = Scratch.directory.unique(recording.ending)
            try Data(stream.prefix(cut)).write(to: dead)
            let output = Scratch.directory.unique(recording.ending)
            defer { try? FileManager.default.removeItem(at: dead) }
            let whole = packets.map { $0.reduce(0) { $0 + $1.wholeSamples(before: cut) } }
            guard whole != [0, 0] else {
                #expect(throws: RushesError.self, "cut at \(cut)") {
                    try MovieRecovery.recover(FilePath(dead.path), to: FilePath(output.path))
                }
                #expect(!FileManager.default.fileExists(atPath: output.path))
                continue
            }
            let recovered = try MovieRecovery.recover(FilePath(dead.path), to: FilePath(output.path))
            #expect([recovered.framesRecovered, recovered.samplesRecovered] == whole, "cut at \(cut)")
            #expect(try Data(contentsOf: dead) == Data(stream.prefix(cut)))
            outputs.append((output, "cut at \(cut)"))
            let info = try MovieInfo(contentsOf: FilePath(output.path))
            #expect(info.complete && !info.fragmented)
        }
        for start in stride(from: 0, to: outputs.count, by: 20) {
            try await Judge.decodeWithoutAWord(Array(outputs[start...].prefix(20)))
        }
    }

    @Test("of whole fragments gives the movie that finishing would have given", arguments: Recording.all)
    func sameAsFinished(_ recording: Recording) async throws {
        let dead = try await recording.written(finishing: false).url
        let report = try MovieRecovery.recover(FilePath(dead.path))
        #expect(report.complete)
        #expect(report.bytesLost == 0)
        let finished = try await recording.written()
        #expect(report.duration == finished.finished?.duration)
        #expect(try Data(contentsOf: dead) == Data(contentsOf: finished.url))
    }

    @Test("brings back what OBS had recorded when it was killed") func killedOBS() async throws {
        let dead = URL(filePath: Checkout.media("obs-killed.mp4"))
        let output = Scratch.directory.unique("mp4")
        let recovered = try MovieRecovery.recover(FilePath(dead.path), to: FilePath(output.path))
        // Its last sample of audio was cut in the middle.
        #expect(recovered.framesRecovered == 1500)
        #expect(recovered.samplesRecovered == 2162)
        try await Judge.decodesWithoutAWord(output, "OBS")
        let whole = try await Packet.all(in: output, "video")
        #expect(whole.count == 1500)
    }

    @Test("works with an index that was half written", arguments: [0, 1, 8, 40, 1000])
    func halfAnIndex(_ space: Int) async throws {
        let recording = Recording.hevc
        let (url, _) = try await recording.written { file, _ in
            file.space = space
            file.steps = 1
        }
        let report = try MovieRecovery.recover(FilePath(url.path))
        #expect(report.bytesLost < 8)
        try await Judge.decodesWithoutAWord(url)
        #expect(try await Judge.packets(url, "v") == Judge.packets(recording.written().url, "v"))
    }

    @Test("works on a finished movie whose copy broke off before its index", arguments: Recording.all)
    func finishedThenCut(_ recording: Recording) async throws {
        let (url, finished) = try await recording.written(
            MovieFileWriter.Options(metadata: MovieMetadata(title: "Kept"), audioPriming: recording.audioPriming))
        let size = try #require(finished).fileSize - UInt64(try #require(finished).indexSize)
        var outputs: [(url: URL, comment: Comment)] = []
        for cut in [size, size + 9, size - 2000] {
            let dead = Scratch.directory.unique(recording.ending)
            try Data(contentsOf: url).prefix(Int(cut)).write(to: dead)
            let output = Scratch.directory.unique(recording.ending)
            let report = try MovieRecovery.recover(FilePath(dead.path), to: FilePath(output.path))
            #expect(report.framesRecovered > 40)
            outputs.append((output, "cut at \(cut)"))
            #expect(try MovieInfo(contentsOf: FilePath(output.path)).title == "Kept")
            #expect(try await Judge.ffprobe(output).audio?.start == 0)
        }
        try await Judge.decodeWithoutAWord(outputs)
    }

    @Test("works when a power cut left zeros or noise at the end", arguments: [UInt8(0), 0xFF, 0x41])
    func rubbish(_ byte: UInt8) async throws {
        let dead = try await Recording.h264.written(finishing: false).url
        var bytes = try Data(contentsOf: dead)
        bytes.append(contentsOf: repeatElement(byte, count: 5000))
        try bytes.write(to: dead)
        let report = try MovieRecovery.recover(FilePath(dead.path))
        #expect(report.framesRecovered == 75)
        try await Judge.decodesWithoutAWord(dead)
    }

    private static let flags = [
        "frag_keyframe+empty_moov+default_base_moof", "frag_keyframe+empty_moov", "frag_keyframe+delay_moov",
        "frag_keyframe+empty_moov+negative_cts_offsets+default_base_moof", "cmaf+delay_moov",
        "frag_keyframe+empty_moov+separate_moof", "frag_every_frame+empty_moov", "dash+delay_moov",
        "frag_keyframe+empty_moov+omit_tfhd_offset", "frag_keyframe+empty_moov+global_sidx+default_base_moof",
    ]
    private static let fragments = Made<String, [String: URL]>()

    /// The movies for all flags, by one run of ffmpeg.
    @Sendable private static func makeFragments() async throws -> [String: URL] {
        let movies = Dictionary(uniqueKeysWithValues: flags.map { ($0, Scratch.directory.unique("mp4")) })
        let outputs = movies.map { flags, url in
            "-c:v libx264 -threads 1 -preset ultrafast -bf 2 -g 20 -c:a aac -movflags \(flags) \(url.path)"
        }
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=3 -f lavfi -i sine=duration=3 "
                + outputs.joined(separator: " "))
        return movies
    }

    @Test(
        "works on fragments of ffmpeg and of recorders like it",
        arguments: Cases.taken(of: flags, most: 4))
    func ffmpegFragments(_ flags: String) async throws {
        let source = try #require(try await Self.fragments.value("ffmpeg", Self.makeFragments)[flags])
        let output = Scratch.directory.unique("mp4")
        let report = try MovieRecovery.recover(FilePath(source.path), to: FilePath(output.path))
        #expect(report.framesRecovered == 75)
        // With a fragment for each frame ffmpeg's own times of some packets are equal.
        let excused = flags.contains("every_frame") ? "non monotonically increasing" : nil
        try await Judge.decodesWithoutAWord(output, excused: excused)
        for kind in ["v", "a"] {
            #expect(try await Judge.packets(output, kind) == Judge.packets(source, kind))
        }
        // In step as before: with neither an edit list nor negative offsets ffmpeg lets video and audio wait for the
        // reordering of frames.
        let waits = !flags.contains("delay_moov") && !flags.contains("negative_cts")
        let probe = try await Judge.ffprobe(output)
        #expect(probe.video?.start == (waits ? 0.08 : 0))
        #expect(probe.audio?.start == 0)
        // And cut, which is what it is for.
        let bytes = try Data(contentsOf: source)
        try bytes.prefix(bytes.count * 2 / 3).write(to: source)
        let cut = try MovieRecovery.recover(FilePath(source.path), to: FilePath(output.path), replacing: true)
        #expect(cut.framesRecovered > 20)
        try await Judge.decodesWithoutAWord(output, excused: excused)
    }

    @Test(
        "works on fragments of GStreamer in each of its modes",
        arguments: [
            "mp4mux fragment-mode=dash-or-mss", "mp4mux fragment-mode=first-moov-then-finalise",
            "mp4mux streamable=true",
            "qtmux", "qtmux fragment-mode=first-moov-then-finalise", "ismlmux",
        ])
    func gstreamerFragments(_ muxer: String) async throws {
        let source = Scratch.directory.unique("mp4")
        // An error ends it as a kill does; at the end of the stream two of the modes would come back and finalise the file.
        try await Tool.shell(
            "! gst-launch-1.0 -q videotestsrc ! video/x-raw,width=160,height=120,framerate=25/1 "
                + "! x264enc bframes=2 b-adapt=false key-int-max=25 threads=1 ! h264parse ! queue ! \(muxer) name=m "
                + "fragment-duration=400 ! filesink buffer-mode=unbuffered location=\(source.path) "
                + "audiotestsrc samplesperbuffer=1024 ! identity error-after=200 ! audio/x-raw,rate=44100 ! avenc_aac "
                + "! queue ! m. 2>/dev/null")
        let bytes = try Data(contentsOf: source)
        for share in [1.0, 0.7] {
            try bytes.prefix(Int(Double(bytes.count) * share)).write(to: source)
            let output = Scratch.directory.unique("mp4")
            let report = try MovieRecovery.recover(FilePath(source.path), to: FilePath(output.path))
            #expect(report.framesRecovered > 30)
            // This mode gives some packets of audio no duration.
            try await Judge.decodesWithoutAWord(
                output, excused: muxer.contains("finalise") ? "non monotonically increasing" : nil)
            let probe = try await Judge.ffprobe(output)
            #expect(probe.video?.start == 0 && probe.audio?.start == 0)
        }
    }

    @Test("and editing are refused while the movie is recorded, and work afterwards")
    func stillRecording() async throws {
        let url = Scratch.directory.unique("mp4")
        let path = FilePath(url.path)
        let descriptor = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        var isOpen = true
        defer { if isOpen { try? descriptor.close() } }
        let writer = MovieFileWriter(descriptor: descriptor, options: .init(audioPriming: 1024))
        try await writer.append(inRandomPieces: Recording.h264.bytes, seed: 1)
        let before = try Data(contentsOf: url)
        #expect(throws: RushesError.self) { try MovieRecovery.recover(path) }
        #expect(throws: RushesError.self) {
            try MovieRecovery.recover(path, to: MovieRecovery.defaultOutput(for: path))
        }
        #expect(throws: RushesError.self) { try MovieEditing.setOrientation(.upright, ofMovieAt: path) }
        #expect(try MovieInfo(contentsOf: path).fragmented)
        #expect(try Data(contentsOf: url) == before)
        _ = try writer.finish()
        isOpen = false
        try descriptor.close()
        try MovieEditing.setMetadata(MovieMetadata(title: "T"), ofMovieAt: path)
        #expect(try MovieInfo(contentsOf: path).title == "T")
    }

    @Test(
        "gets a name beside the recording",
        arguments: [
            ("/a/take.mov", "/a/take.recovered.mov"), ("take", "take.recovered"),
            ("a b/c.d.mp4", "a b/c.d.recovered.mp4"),
        ])
    func name(_ input: String, _ output: String) {
        #expect(MovieRecovery.defaultOutput(for: FilePath(input)) == FilePath(output))
    }

    @Test("is refused where there is nothing to recover, and leaves no file")
    func refused() async throws {
        let finished = try await Recording.h264.written().url
        let output = Scratch.directory.unique("mp4")
        #expect(throws: RushesError.self) {
            try MovieRecovery.recover(FilePath(finished.path), to: FilePath(output.path))
        }
        #expect(!FileManager.default.fileExists(atPath: output.path))
        let fragments = try await Recording.h264.written(finishing: false).url
        try Data("there".utf8).write(to: output)
        #expect {
            try MovieRecovery.recover(FilePath(fragments.path), to: FilePath(output.path))
        } throws: { error in
            (error as? RushesError)?.code == .fileExists
        }
        #expect(try Data(contentsOf: output) == Data("there".utf8))
    }
}

/// A packet as ffprobe finds it in fragments.
private struct Packet {
    var position: Int
    var size: Int
    /// Of a PCM frame; a compressed packet is one sample.
    var frameSize: Int?

    static func all(in url: URL, _ kind: String) async throws -> [Packet] {
        let probe = try await Judge.ffprobe(url)
        let isPCM = kind == "audio" && probe.audio?.codec_name == "pcm_s16le"
        return try await Judge.allPackets(url).first { $0[0].codec_type == kind }?.compactMap { packet in
            guard let position = packet.pos.flatMap({ Int($0) }), let size = Int(packet.size) else { return nil }
            return Packet(position: position, size: size, frameSize: isPCM ? 4 : nil)
        } ?? []
    }

    func wholeSamples(before end: Int) -> Int {
        if let frameSize { return max(0, min(size, end - position)) / frameSize }
        return position + size <= end ? 1 : 0
    }
}

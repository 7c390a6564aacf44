import Errors
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Encoding

/// Files that follow each other under encoders that go on.
@Suite(.timeLimit(.minutes(10))) struct PartsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let frame: MediaTime = 40 * .millisecond
    private static let count = 200

    /// Each frame begins at another place of it.
    private static let texture: [UInt8] = (0..<count * 7 + frameBytes).map { (place: Int) -> UInt8 in
        UInt8((place * place / 7 + place * 3) % 220 + 16)
    }
    private static let frameBytes = 64 * 48 * 3 / 2

    /// It rises, so that every moment is another.
    private static let tone = (0..<count * 1920).map { place in
        let time = Double(place) / 48_000
        return Int16(12_000 * sin(2 * .pi * (200 + 150 * time) * time))
    }

    /// 25 frames a second and PCM; `encoder` makes what `caps` say.
    func plan(
        _ muxer: String, _ encoder: [PipelineDescription.Node], audio: [PipelineDescription.Node] = [],
        hasAudio: Bool = true
    ) throws -> MoviePlan {
        MoviePlan(
            muxer: muxer, isMovieFile: muxer == "qtmux",
            video: MoviePlan.Track(
                caps: try Caps("video/x-raw,format=I420,width=64,height=48,framerate=25/1"), nodes: encoder),
            audio: hasAudio
                ? [
                    MoviePlan.Track(
                        caps: try Caps("audio/x-raw,format=S16LE,rate=48000,channels=1,layout=interleaved"),
                        nodes: audio)
                ] : [])
    }

    static let jpeg = [PipelineDescription.Node.make("jpegenc")]

    /// Writes two hundred frames that differ, with audio, and goes over to another file where it is said: frames and the times
    /// in seconds that are asked for, each when half a second is left to it.
    private func write(
        _ plan: MoviePlan, _ names: [String], splits: [Double] = [], chapters: [MovieInfo.Chapter] = [],
        priming: Int = 0, lost: Range<Int> = 0..<0
    ) async throws -> (last: FinishedFile, parts: [FinishedPart]) {
        func destination(_ name: String) -> MovieDestination { MovieDestination(FilePath(folder.file(name))) }
        let options = MovieFileWriter.Options(audioPriming: priming)
        let writer = try MovieWriter(plan, destination: destination(names[0]), options: options)
        try await writer.start()
        writer.takeChapters { chapters }
        let (encoded, continuation) = AsyncStream.makeStream(of: Void.self)
        writer.onEncodedFrame { _ in continuation.yield() }
        var frames = encoded.makeAsyncIterator()
        let told = Task { await writer.finishedParts.reduce(into: [FinishedPart]()) { $0.append($1) } }
        var waiting = Array(zip(splits, names.dropFirst()))
        for index in 0..<Self.count {
            let time = index * Self.frame
            if let (split, name) = waiting.first, time.seconds >= split - 0.5 {
                waiting.removeFirst()
                #expect(
                    try await writer.split(to: destination(name), options: options, at: MediaTime(seconds: split)))
                // Asked for once more while it is under way, it is ignored.
                #expect(try await !writer.split(to: destination("none.mov"), options: .init()))
            }
            // As with a camera, the encoder is never far behind.
            if index > 3, !lost.contains(index) { await frames.next() }
            if !lost.contains(index) { #expect(Self.append(frame: index, to: writer, limit: 10) == .taken) }
            if plan.audio.isEmpty { continue }
            Self.appendAudio(index, to: writer)
        }
        let last = try await writer.finish(within: .seconds(500), chapters: chapters)
        return (last, await told.value)
    }

    static func append(frame index: Int, to writer: MovieWriter, limit: Int = 100) -> MovieWriter.AppendResult {
        Array(texture[index * 7..<index * 7 + frameBytes]).withUnsafeBytes {
            writer.append(
                frame: Buffer(copying: $0, presentationTime: index * frame, duration: frame), limit: limit)
        }
    }

    /// As long as a frame is shown.
    static func appendAudio(_ index: Int, to writer: MovieWriter) {
        _ = Array(tone[index * 1920..<index * 1920 + 1920]).withUnsafeBytes {
            writer.append(audio: Buffer(copying: $0, presentationTime: index * frame, duration: frame))
        }
    }

    private func hashes(_ name: String, _ stream: String) async throws -> [String] {
        let result = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", stream, "-show_entries", "packet=data_hash", "-show_data_hash", "md5",
                "-of", "csv=p=0", folder.file(name),
            ])
        return result.text.split(separator: "\n").map(String.init)
    }

    func samples(_ name: String) async throws -> [Float] {
        try await FFmpeg.audio(of: folder.file(name), rate: 48_000)
    }

    @Test(arguments: [("qtmux", "mov"), ("matroskamux", "mkv")])
    func `the parts' packets, one behind the other, are those of one file`(muxer: String, ending: String) async throws {
        let plan = try plan(muxer, Self.jpeg)
        let names = ["a", "b", "c"].map { "\($0).\(ending)" }
        _ = try await write(plan, ["one.\(ending)"])
        let (last, parts) = try await write(plan, names, splits: [2.5, 6])
        #expect(parts.map(\.path.string) == names.dropLast().map { folder.file($0) })
        let begins: [MediaTime] = [0, 2520 * .millisecond]
        #expect(parts.map(\.range.lowerBound) == begins && parts.last?.range.upperBound == 6 * .second)
        let files = try parts.map { try $0.outcome.get() } + [last]
        // 2.5 seconds are no whole number of frames.
        #expect(files.map(\.frames) == [63, 87, 50])
        #expect(files.allSatisfy { $0.isComplete && $0.problem == nil })
        var (video, audio): ([String], [Float]) = ([], [])
        for name in names {
            video += try await hashes(name, "v:0")
            audio += try await samples(name)
            // In Matroska ffmpeg has to guess where a single channel is.
            if ending == "mov" { try await FFmpeg.decode(folder.file(name)) }
        }
        #expect(video == (try await hashes("one.\(ending)", "v:0")))
        #expect(audio == (try await samples("one.\(ending)")))
        #expect(audio.count == Self.count * 1920)
    }

    @Test func `where frames are lost before the next file, the last one lasts until that`() async throws {
        let names = ["a.mov", "b.mov"]
        let (last, parts) = try await write(plan("qtmux", Self.jpeg), names, splits: [2.5], lost: 50..<80)
        // The frame at 3.2 seconds is the first from 2.5 on.
        #expect(parts.map(\.range.upperBound) == [3200 * .millisecond])
        #expect(try parts.map { try $0.outcome.get().frames } + [last.frames] == [50, 120])
        for (name, seconds) in zip(names, [3.2, 4.8]) {
            let probe = try await FFProbe.inspect(folder.file(name))
            let lengths = (probe.video + probe.audio).compactMap { $0.duration?.value }
            #expect(lengths.count == 2 && lengths.allSatisfy { abs($0 - seconds) < 0.001 }, "\(name): \(lengths)")
            try await FFmpeg.decode(folder.file(name))
        }
    }

    @Test(arguments: [true, false]) func `so it does in Matroska, by the file's own length`(hasAudio: Bool) async throws
    {
        let names = ["a.mkv", "b.mkv"]
        let plan = try plan("matroskamux", Self.jpeg, hasAudio: hasAudio)
        let (last, parts) = try await write(plan, names, splits: [2.5], lost: 50..<80)
        let files = try parts.map { try $0.outcome.get() } + [last]
        #expect(files.map(\.frames) == [50, 120])
        for (name, seconds) in zip(names, [3.2, 4.8]) {
            let length = try await FFProbe.inspect(folder.file(name)).format.duration?.value ?? 0
            #expect(abs(length - seconds) < 0.002, "\(name): \(length)")
            let decoded = try await Tool.succeed(
                "ffmpeg", ["-nostdin", "-v", "error", "-xerror", "-i", folder.file(name), "-f", "null", "-"])
            #expect(decoded.errors == "")
        }
    }

    /// The parser hands frames on without the duration that they came with, as it does of a camera's own stream.
    @Test func `the last frame is shown, also where a parser takes its duration`() async throws {
        let (last, _) = try await write(plan("qtmux", Self.jpeg + [.make("jpegparse")]), ["take.mov"])
        #expect(last.frames == Self.count)
        #expect(try await hashes("take.mov", "v:0").count == Self.count)
        let shown = try #require(try await FFProbe.inspect(folder.file("take.mov")).video.first?.duration?.value)
        #expect(abs(shown - Double(Self.count) * Self.frame.seconds) < 0.001, "\(shown)")
    }

    /// Encoders, and what primes their decoders and is marked; what players leave out of Opus is told by the stream itself.
    @Test(arguments: [
        ("avenc_aac", "qtmux", "mov", 1024), ("opusenc", "qtmux", "mp4", 0), ("flacenc", "matroskamux", "mkv", 0),
        ("opusenc", "matroskamux", "mkv", 0),
    ])
    func `the audio of a later part lies where it lies in one file`(
        encoder: String, muxer: String, ending: String, priming: Int
    ) async throws {
        let parser: [PipelineDescription.Node] =
            encoder == "avenc_aac" ? [.make("aacparse")] : encoder == "flacenc" ? [.make("flacparse")] : []
        let plan = try plan(
            muxer, Self.jpeg, audio: [.make("audioconvert"), .make("audioresample"), .make(encoder)] + parser)
        _ = try await write(plan, ["one.\(ending)"], priming: priming)
        _ = try await write(plan, ["a.\(ending)", "b.\(ending)"], splits: [4], priming: priming)
        let (whole, part) = (try await samples("one.\(ending)"), try await samples("b.\(ending)"))
        let report = try await FFProbe.inspect(folder.file("b.\(ending)"))
        let start = try #require(report.audio.first?.startTime?.value)
        #expect((0..<0.045).contains(start), "\(start)")
        // A tenth of a second from the middle of the part, looked for around its place in the whole.
        let (offset, length) = (24_000, 4800)
        let place = 4 * 48_000 + Int((start * 48_000).rounded()) + offset + (encoder == "opusenc" ? 312 : 0)
        var best = (lag: 0, difference: Float.infinity)
        for lag in -1500...1500 {
            var difference: Float = 0
            for sample in stride(from: 0, to: length, by: 31) {
                difference += abs(part[offset + sample] - whole[place + lag + sample])
            }
            if difference < best.difference { best = (lag, difference) }
        }
        // Matroska counts in milliseconds, the edit list in the movie's timescale.
        #expect(abs(best.lag) <= (ending == "mkv" ? 48 : 16), "\(best), begins at \(start)")
    }

    @Test func `each part begins with a key frame that was asked for, and has its chapters`() async throws {
        let chapters = [(0.5, "One"), (3.5, "Two"), (4.5, "Three")].map {
            MovieInfo.Chapter(start: MediaTime(seconds: $0.0), title: $0.1)
        }
        let (last, parts) = try await write(
            try plan("qtmux", try Self.keyFramesOnDemand), ["a.mov", "b.mov"], splits: [4], chapters: chapters)
        #expect(try parts.map { try $0.outcome.get().frames } == [100] && last.frames == 100)
        for (name, own) in [("a.mov", [500, 3500]), ("b.mov", [500])] {
            let packets = try await FFProbe.packets("v:0", of: folder.file(name))
            #expect(packets.count == 100 && packets.first?.ptsTime?.value == 0)
            let found = try await FFProbe.inspect(folder.file(name)).chapters ?? []
            #expect(found.map { Int(($0.startTime.value * 1000).rounded()) } == own)
            try await FFmpeg.decode(folder.file(name))
        }
    }

    /// GStreamer's base class for encoders would take the first one for its first frame, and none after it.
    @Test func `a key frame that is wanted before the encoder has begun comes in its place, and so does the next`()
        async throws
    {
        let writer = try MovieWriter(
            try plan("qtmux", try Self.keyFramesOnDemand, hasAudio: false),
            destination: MovieDestination(FilePath(folder.file("a.mov"))), options: .init())
        // At the muxer, which a packet reaches after the encoder is known to have begun; at the encoder it may be on its way to that.
        let begun = AsyncSignal()
        let packets = try #require(writer.sequence?.last?.pipeline.bin.element(named: "video-packets")?.pad("src"))
        _ = packets.addBufferProbe { _ in
            begun.fire()
            return .pass
        }
        try await writer.start()
        func split(_ name: String, _ second: MediaTime) async throws {
            #expect(
                try await writer.split(
                    to: MovieDestination(FilePath(folder.file(name))), options: .init(), at: second))
        }
        func append(_ frames: Range<Int>) {
            for index in frames { #expect(Self.append(frame: index, to: writer) == .taken) }
        }
        try await split("b.mov", .second)
        append(0..<5)
        try #require(await begun.wait(within: .seconds(60)))
        append(5..<50)
        var parts = writer.finishedParts.makeAsyncIterator()
        let first = try #require(await parts.next())
        try await split("c.mov", 3 * .second)
        append(50..<100)
        let last = try await writer.finish(within: .seconds(60))
        let second = try #require(await parts.next())
        #expect(try [first, second].map { try $0.outcome.get().frames } == [25, 50] && last.frames == 25)
    }

    private static var keyFramesOnDemand: [PipelineDescription.Node] {
        get throws {
            [
                .make("x264enc", ["tune": "zerolatency", "speed-preset": "ultrafast", "key-int-max": 1000]),
                .make("h264parse"), .caps(try Caps("video/x-h264,stream-format=avc,alignment=au")),
            ]
        }
    }
}

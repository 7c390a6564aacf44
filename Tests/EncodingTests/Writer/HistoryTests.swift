import Errors
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Encoding

/// Files that begin before somebody asked for them.
@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let frame: MediaTime = 40 * .millisecond
    private static let count = 200
    private static let frameBytes = 64 * 48 * 3 / 2
    /// Each frame begins at another place of it.
    private static let texture: [UInt8] = (0..<count * 7 + frameBytes).map { (place: Int) -> UInt8 in
        UInt8((place * place / 7 + place * 3) % 220 + 16)
    }
    /// Every moment is another.
    private static let tone = (0..<count * 1920).map { Int16(truncatingIfNeeded: $0 * 7 % 30_011) }

    private static let jpeg = [PipelineDescription.Node.make("jpegenc")]

    /// H.264 as GStreamer's own encoder makes it.
    private static func h264(_ properties: KeyValuePairs<String, PropertyValue>) throws -> [PipelineDescription.Node] {
        [
            .make("x264enc", properties), .make("h264parse"),
            .caps(try Caps("video/x-h264,stream-format=avc,alignment=au")),
        ]
    }

    private func plan(_ muxer: String, _ encoder: [PipelineDescription.Node]) throws -> MoviePlan {
        MoviePlan(
            muxer: muxer, isMovieFile: muxer == "qtmux",
            video: MoviePlan.Track(
                caps: try Caps("video/x-raw,format=I420,width=64,height=48,framerate=25/1"), nodes: encoder),
            audio: [
                MoviePlan.Track(
                    caps: try Caps("audio/x-raw,format=S16LE,rate=48000,channels=1,layout=interleaved"), nodes: [])
            ])
    }

    private func destination(_ name: String) -> MovieDestination { MovieDestination(FilePath(folder.file(name))) }

    private static let history = KeptHistory(duration: 3 * .second, limit: 100_000_000)

    private func standby(_ plan: MoviePlan, _ history: KeptHistory = history) throws -> MovieWriter {
        try MovieWriter(standby: plan, options: .init(), keeping: history)
    }

    /// Writes two hundred frames that differ, with audio, and does something before some of them.
    private func write(
        to writer: MovieWriter, isReordering: Bool = false, _ actions: [Int: () async throws -> Void] = [:]
    ) async throws -> FinishedFile {
        try await writer.start()
        let (encoded, continuation) = AsyncStream.makeStream(of: Void.self)
        writer.onEncodedFrame { _ in continuation.yield() }
        var frames = encoded.makeAsyncIterator()
        for index in 0..<Self.count {
            try await actions[index]?()
            let time = index * Self.frame
            let video = Array(Self.texture[index * 7..<index * 7 + Self.frameBytes]).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: time, duration: Self.frame)
            }
            // As with a camera, the encoder is never far behind.
            if index > 3, !isReordering { await frames.next() }
            #expect(writer.append(frame: video, limit: 300) == .taken)
            _ = Array(Self.tone[index * 1920..<index * 1920 + 1920]).withUnsafeBytes {
                writer.append(audio: Buffer(copying: $0, presentationTime: time, duration: Self.frame))
            }
        }
        return try await writer.finish(within: .seconds(500))
    }

    private func hashes(_ name: String) async throws -> [String] {
        let result = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=data_hash", "-show_data_hash", "md5",
                "-of", "csv=p=0", folder.file(name),
            ])
        return result.text.split(separator: "\n").map(String.init)
    }

    private func samples(_ name: String) async throws -> [Float] {
        try await FFmpeg.audio(of: folder.file(name), rate: 48_000)
    }

    @Test(arguments: [("qtmux", "mov"), ("matroskamux", "mkv")])
    func `the file holds what came from two seconds before on, each frame and sample once`(
        muxer: String, ending: String
    ) async throws {
        let plan = try plan(muxer, Self.jpeg)
        _ = try await write(to: try MovieWriter(plan, destination: destination("one.\(ending)"), options: .init()))
        let writer = try standby(plan)
        let file = try await write(
            to: writer,
            [
                150: {
                    #expect(folder.contents == ["one.\(ending)"])
                    #expect(writer.prepareToBegin(at: 6 * .second, preRoll: 2 * .second) == 2 * .second)
                    let there = try await writer.begin(
                        destination("take.\(ending)"), options: .init(), at: 6 * .second, preRoll: 2 * .second)
                    #expect(there == 2 * .second)
                }
            ])
        #expect(file.frames == 100 && file.isComplete && writer.movieBegin == 4 * .second && writer.framesBefore == 100)
        #expect(try await hashes("take.\(ending)") == hashes("one.\(ending)").suffix(100))
        #expect(try await samples("take.\(ending)") == samples("one.\(ending)").suffix(100 * 1920))
        if ending == "mov" { try await FFmpeg.decode(folder.file("take.mov")) }
    }

    /// Key frames a second apart, and frames that come out of the encoder in another order than they are shown in.
    @Test func `it begins with a key frame, however the encoder reorders`() async throws {
        let encoder = try Self.h264(["key-int-max": 25, "b-adapt": false, "bframes": 2, "speed-preset": "ultrafast"])
        let writer = try standby(
            try plan("qtmux", encoder), KeptHistory(duration: 6 * .second, limit: 100_000_000))
        let file = try await write(
            to: writer, isReordering: true,
            [
                190: {
                    // What is asked for has to be out of the encoder.
                    while writer.kept.map({ $0.span < 3 * .second }) == true {
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    _ = try await writer.begin(
                        destination("take.mov"), options: .init(), at: MediaTime(seconds: 7.6), preRoll: 5 * .second)
                }
            ])
        let begin = try #require(writer.movieBegin)
        #expect(begin <= MediaTime(seconds: 2.6) && begin >= MediaTime(seconds: 1.5), "\(begin)")
        let packets = try await FFProbe.packets("v:0", of: folder.file("take.mov"))
        let times = packets.compactMap(\.ptsTime?.value).sorted()
        #expect(file.frames == times.count && times.count == Self.count - Int((begin / Self.frame).rounded()))
        #expect(times.first == 0 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 })
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test(arguments: [KeptHistory(duration: .zero, limit: 100_000_000), history])
    func `without a pre-roll it begins with the next frame, made a key frame for it`(
        history: KeptHistory
    ) async throws {
        let encoder = try Self.h264(["tune": "zerolatency", "speed-preset": "ultrafast", "key-int-max": 1000])
        let writer = try standby(try plan("qtmux", encoder), history)
        let file = try await write(
            to: writer,
            [
                150: {
                    // The file is there only when the frames are long encoded.
                    #expect(writer.prepareToBegin(at: MediaTime(seconds: 6.3), preRoll: .zero) == .zero)
                },
                180: {
                    _ = try await writer.begin(
                        destination("take.mov"), options: .init(), at: MediaTime(seconds: 6.3), preRoll: .zero)
                },
            ])
        #expect(file.frames == 42 && writer.movieBegin == MediaTime(seconds: 6.32))
        try await FFmpeg.decode(folder.file("take.mov"))
        #expect(try await samples("take.mov").count == 42 * 1920)
    }

    /// A key frame that is asked for then is the encoder's first frame, and there is no other one.
    @Test func `asked for before the encoder hands anything out, it begins with the first frame`() async throws {
        let encoder = try Self.h264(["tune": "zerolatency", "speed-preset": "ultrafast", "key-int-max": 1000])
        let writer = try standby(try plan("qtmux", encoder), KeptHistory(duration: .zero, limit: 100_000_000))
        let time = MediaTime(seconds: 0.02)
        let file = try await write(
            to: writer,
            [
                0: { #expect(writer.prepareToBegin(at: time, preRoll: .zero) == time) },
                50: {
                    _ = try await writer.begin(destination("take.mov"), options: .init(), at: time, preRoll: time)
                },
            ])
        #expect(file.frames == Self.count && writer.movieBegin == .zero)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    /// The audio is over before the frame with which the file begins is encoded.
    @Test func `audio that ends before the first frame is encoded is in the file`() async throws {
        let slow = PipelineDescription.Node.make("identity", ["sleep-time": 15_000])
        let writer = try standby(try plan("qtmux", [slow] + Self.jpeg))
        let file = try await write(
            to: writer, isReordering: true,
            [
                190: {
                    // Else all of it is wanted.
                    while writer.kept?.span == .zero { try await Task.sleep(for: .milliseconds(5)) }
                    let time = MediaTime(seconds: 7.6)
                    #expect(writer.prepareToBegin(at: time, preRoll: .zero) == .zero)
                    _ = try await writer.begin(destination("take.mov"), options: .init(), at: time, preRoll: .zero)
                }
            ])
        #expect(file.frames == 10 && writer.movieBegin == MediaTime(seconds: 7.6))
        #expect(try await samples("take.mov").count == 10 * 1920)
    }

    @Test func `the last seconds are saved again and again, and what is recorded notices nothing`() async throws {
        let plan = try plan("qtmux", Self.jpeg)
        let writer = try MovieWriter(
            plan, destination: destination("take.mov"), options: .init(), keeping: Self.history)
        func save(_ name: String, _ range: ClosedRange<Double>) async throws {
            // The encoder holds a few frames, and a busy machine as many more.
            let (file, begin) = try await writer.save(
                MediaTime(seconds: range.lowerBound)..<MediaTime(seconds: range.upperBound), to: destination(name),
                options: .init(), chapters: [])
            #expect(begin == MediaTime(seconds: range.lowerBound) && file.isComplete && file.fault == nil)
        }
        let file = try await write(
            to: writer, [100: { try await save("a.mov", 2...3.2) }, 180: { try await save("b.mov", 4.8...6.4) }])
        #expect(file.frames == Self.count && writer.movieBegin == .zero && writer.framesBefore == 0)
        // Whoever holds a recording that is over holds nothing of that.
        #expect(writer.kept?.span ?? .zero > 2 * .second)
        writer.forget()
        #expect(writer.kept?.span == .zero)
        await #expect(throws: RushesError.self) {
            try await writer.save(.zero..<7 * .second, to: destination("c.mov"), options: .init(), chapters: [])
        }
        let (all, audio) = (try await hashes("take.mov"), try await samples("take.mov"))
        for (name, frames) in [("a.mov", 50..<80), ("b.mov", 120..<160)] {
            #expect(try await hashes(name) == Array(all[frames]))
            #expect(try await samples(name) == Array(audio[frames.lowerBound * 1920..<frames.upperBound * 1920]))
            try await FFmpeg.decode(folder.file(name))
        }
    }

    @Test func `where the file cannot be had, what was kept is there for the next attempt`() async throws {
        let writer = try standby(try plan("qtmux", Self.jpeg))
        let file = try await write(
            to: writer,
            [
                150: {
                    await #expect(throws: RushesError.self) {
                        try await writer.begin(
                            MovieDestination("/proc/none/take.mov"), options: .init(), at: 6 * .second,
                            preRoll: 2 * .second)
                    }
                    await #expect(throws: RushesError.self) {
                        try await writer.save(
                            4 * .second..<5 * .second, to: MovieDestination("/proc/none/take.mov"), options: .init(),
                            chapters: [])
                    }
                    _ = try await writer.begin(
                        destination("take.mov"), options: .init(), at: 6 * .second, preRoll: 2 * .second)
                }
            ])
        #expect(file.frames == 100)
    }

    @Test func `with too little memory for what was asked it begins later, and says so`() async throws {
        let writer = try standby(try plan("qtmux", Self.jpeg), KeptHistory(duration: 3 * .second, limit: 100_000))
        let file = try await write(
            to: writer,
            [
                150: {
                    #expect(writer.prepareToBegin(at: 6 * .second, preRoll: 3 * .second) == 3 * .second)
                    let there = try await writer.begin(
                        destination("take.mov"), options: .init(), at: 6 * .second, preRoll: 3 * .second)
                    #expect(there > .zero && there < 2 * .second && writer.kept?.isCut == true)
                }
            ])
        #expect(file.frames > 50 && file.frames < 100)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test func `what was never begun leaves nothing`() async throws {
        let writer = try standby(try plan("qtmux", Self.jpeg))
        await #expect(throws: RushesError.self) { try await write(to: writer) }
        #expect(folder.contents.isEmpty)
    }
}

import Errors
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Encoding

/// The writer by itself, with encoders that work, fail and hang.
@Suite(.timeLimit(.minutes(10))) struct MovieWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let frame: MediaTime = 40_000_000

    private func plan(_ extra: [PipelineDescription.Node] = [], hasAudio: Bool = false) throws -> MoviePlan {
        MoviePlan(
            muxer: "qtmux", isMovieFile: true,
            video: MoviePlan.Track(
                caps: try Self.caps(64, 48),
                nodes: extra + [
                    .make("x264enc", ["tune": "zerolatency", "speed-preset": "ultrafast", "key-int-max": 10]),
                    .make("h264parse"), .caps(try Caps("video/x-h264,stream-format=avc,alignment=au")),
                ]),
            audio: hasAudio
                ? [
                    MoviePlan.Track(
                        caps: try Caps("audio/x-raw,format=S16LE,rate=48000,channels=1,layout=interleaved"), nodes: [])
                ] : [])
    }

    private static func caps(_ width: Int, _ height: Int, rate: Int = 25) throws -> Caps {
        try Caps("video/x-raw,format=I420,width=\(width),height=\(height),framerate=\(rate)/1")
    }

    private func frame(_ index: Int, _ width: Int = 64, _ height: Int = 48) -> Buffer {
        let (size, time) = (width * height * 3 / 2, index * Self.frame)
        return [UInt8](repeating: UInt8(index % 200 + 20), count: size).withUnsafeBytes {
            Buffer(copying: $0, presentationTime: time, duration: Self.frame)
        }
    }

    private func writer(_ plan: MoviePlan, _ name: String = "take.mov") async throws -> MovieWriter {
        let writer = try MovieWriter(plan, destination: MovieDestination(FilePath(folder.file(name))), options: .init())
        try await writer.start()
        return writer
    }

    /// The muxer holds all of a fragment in memory.
    @Test(arguments: [
        (1280, 720, 30, 4000, 4), (1920, 1080, 30, 2009, 4), (3840, 2160, 30, 502, 2), (7680, 4320, 60, 500, 2),
        (3840, 2160, 1, 4000, 2), (3840, 2160, 0, 502, 2),
    ]) func `a fragment of an export is the shorter the more pixels there are, and fewer frames wait`(
        width: Int, height: Int, rate: Int, milliseconds: Int, waiting: Int
    ) throws {
        var plan = try plan()
        plan.video?.caps = try Self.caps(width, height, rate: rate)
        #expect(plan.fragmentDuration == 500)
        plan.purpose = .export
        #expect(plan.fragmentDuration == milliseconds && plan.waitingFrames == waiting)
        plan.video = nil
        #expect(plan.fragmentDuration == 4000)
    }

    @Test func `a disk gets longer for what may still be in memory, up to a fifth of that`() {
        #expect(MovieMuxer.diskTimeout(written: 0, memory: 16_000_000_000) == .seconds(60))
        #expect(MovieMuxer.diskTimeout(written: 1_000_000_000, memory: 16_000_000_000) == .seconds(260))
        #expect(MovieMuxer.diskTimeout(written: .max, memory: 16_000_000_000) == .seconds(700))
    }

    @Test func `frames that are none leave no file, and the parser's own words`() async throws {
        let broken = MoviePlan(
            muxer: "qtmux", isMovieFile: true,
            video: MoviePlan.Track(
                caps: try Caps("image/jpeg,width=64,height=48,framerate=25/1"), nodes: [.make("jpegparse")]))
        let writer = try await writer(broken)
        for index in 0..<10 { #expect(writer.append(frame: frame(index), limit: 100) == .taken) }
        let error = await #expect(throws: GStreamerError.self) { try await writer.finish(within: .seconds(120)) }
        #expect(error?.message.contains("No valid frames") == true)
        #expect(folder.contents.isEmpty)
    }

    @Test func `an end without a beginning leaves no file, whatever the muxer writes of it`() async throws {
        let writer = try await writer(try plan(hasAudio: true))
        let messages = try #require(writer.sequence?.last).pipeline.bus.messages()
        writer.endVideo()
        writer.endAudio()
        waiting: for await message in messages {
            switch message.content {
            case .endOfStream, .error: break waiting
            default: break
            }
        }
        await #expect(throws: (any Error).self) { try await writer.finish(within: .seconds(120)) }
        #expect(folder.contents.isEmpty)
    }

    /// While other files of the recording are completed, or encoders stopped, this one has its name already.
    @Test func `a complete movie is followed until its end is told, and kept where it is deleted`() async throws {
        func complete(_ name: String) async throws -> MovieWriter {
            let writer = try await writer(try plan(), name)
            for index in 0..<10 { #expect(writer.append(frame: frame(index), limit: 100) == .taken) }
            let file = try await writer.finish(within: .seconds(120))
            #expect(file.isComplete && file.path == FilePath(folder.file(name)))
            return writer
        }
        #expect(try await complete("here.mov").settle() == nil)

        let renamed = try await complete("take.mov")
        #expect(rename(folder.file("take.mov"), folder.file("other.mov")) == 0)
        let moved = try #require(try await renamed.settle())
        #expect(moved.path.lastComponent?.string == "other.mov" && moved.fault == nil)

        let deleted = try await complete("gone.mov")
        let before = try Data(contentsOf: URL(filePath: folder.file("gone.mov")))
        unlink(folder.file("gone.mov"))
        let kept = try #require(try await deleted.settle())
        #expect(kept.path == FilePath(folder.file("gone.mov")))
        guard case .lost(let words) = kept.fault else { Issue.record("no loss is told"); return }
        #expect(words.contains("deleted while it was being recorded"))
        #expect(try Data(contentsOf: URL(filePath: folder.file("gone.mov"))) == before)
    }

    @Test func `what was handed in is in the file`() async throws {
        let writer = try await writer(try plan())
        for index in 0..<50 { #expect(writer.append(frame: frame(index), limit: 100) == .taken) }
        let file = try await writer.finish(within: .seconds(120))
        #expect(file.isComplete)
        #expect(file.problem == nil)
        #expect(writer.append(frame: frame(50), limit: 100) == .closed)
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(report.video.first?.nbFrames?.value == 50)
        #expect(report.video.first?.duration?.value == 2)
        #expect(Int64(report.format.size?.value ?? 0) == file.size)
    }

    @Test func `an encoder that fails at the first frame leaves no file, and its own words`() async throws {
        let writer = try await writer(try plan([.make("identity", ["error-after": 1])]))
        _ = writer.append(frame: frame(0), limit: 100)
        let error = await #expect(throws: GStreamerError.self) { try await writer.finish(within: .seconds(120)) }
        #expect(error?.element.contains("identity") == true)
        #expect(writer.failure != nil)
        #expect(folder.contents.isEmpty)
    }

    @Test func `an encoder that fails later leaves what it made until then`() async throws {
        let writer = try await writer(try plan([.make("identity", ["error-after": 40])]))
        for index in 0..<50 { _ = writer.append(frame: frame(index), limit: 100) }
        let file = try await writer.finish(within: .seconds(120))
        #expect(file.isComplete)
        let packets = try await FFProbe.packets("v:0", of: folder.file("take.mov"))
        #expect(packets.count == 39)
    }

    @Test func `an encoder that hangs is given up, and what it hands out later is not written`() async throws {
        // A second for each frame: 25 frames would be 25 seconds.
        let writer = try await writer(try plan([.make("identity", ["sleep-time": 1_000_000])]))
        for index in 0..<25 { _ = writer.append(frame: frame(index), limit: 100) }
        if let file = try? await writer.finish(within: .milliseconds(300)) {
            #expect(file.problem == "The encoder did not finish within 0.3 seconds.")
        }
        let contents = folder.contents
        try await Task.sleep(for: .seconds(1.5))
        #expect(folder.contents == contents)
    }

    @Test func `who waits for an encoder that hangs is woken when the movie is given up`() async throws {
        var hanging = try plan([.make("identity", ["sleep-time": 250_000_000])])
        hanging.purpose = .export
        let writer = try await writer(hanging)
        let frames = (0..<20).map { frame($0) }
        let isWoken = AsyncSignal()
        OwnThread.run("pusher") {
            for frame in frames where !writer.write(frame: frame) { break }
            isWoken.fire()
        }
        // Few frames have room, so by now one waits for it.
        try await Task.sleep(for: .seconds(1))
        await writer.cancel()
        // Less than the encoder takes for its first frame.
        #expect(await isWoken.wait(within: .seconds(120)))
        #expect(folder.contents.isEmpty)
    }

    @Test func `an encoder that is slow is waited for as long as something comes out of it`() async throws {
        let writer = try await writer(try plan([.make("identity", ["sleep-time": 500_000])]))
        let movement = writer.countEncodedFrames()
        for index in 0..<16 { _ = writer.append(frame: frame(index), limit: 100) }
        let file = try await writer.finish(within: .seconds(6), progressCounter: movement)
        #expect(file.problem == nil)
        #expect(try await FFProbe.packets("v:0", of: folder.file("take.mov")).count == 16)
    }

    @Test func `nothing handed in is no file`() async throws {
        let writer = try await writer(try plan(hasAudio: true))
        await #expect(throws: (any Error).self) { try await writer.finish(within: .seconds(120)) }
        #expect(folder.contents.isEmpty)
    }

    @Test func `one track without a single sample does not spoil the other`() async throws {
        let writer = try await writer(try plan(hasAudio: true))
        for index in 0..<25 { _ = writer.append(frame: frame(index), limit: 100) }
        let file = try await writer.finish(within: .seconds(120))
        #expect(file.isComplete, "\(file)")
        let packets = try await FFProbe.packets("v:0", of: folder.file("take.mov"))
        #expect(packets.count == 25)
    }

    @Test func `frames of another size and rate are fitted into the first size`() async throws {
        let writer = try await writer(try plan())
        for index in 0..<25 { _ = writer.append(frame: frame(index), limit: 100) }
        writer.setVideoCaps(try Self.caps(128, 96, rate: 50))
        for index in 25..<50 { _ = writer.append(frame: frame(index, 128, 96), limit: 100) }
        let file = try await writer.finish(within: .seconds(120))
        #expect(file.isComplete)
        #expect(writer.failure == nil)
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(report.video.first?.width == 64)
        #expect(report.video.first?.nbFrames?.value == 50)
    }

    @Test func `a frame too many is refused, not queued`() async throws {
        // Nothing comes out of it while the frames are handed in, however long a busy machine takes for that.
        let writer = try await writer(try plan([.make("identity", ["sleep-time": 25_000_000])]))
        let answers = (0..<10).map { writer.append(frame: frame($0), limit: 4) }
        #expect(answers.contains(.tooMany))
        #expect(answers.count { $0 == .taken } <= 6)
        await writer.cancel()
    }

    @Test func `a name that is taken meanwhile is not written over`() async throws {
        try Data("mine".utf8).write(to: URL(filePath: folder.file("take.mov")))
        let error = await #expect(throws: RushesError.self) { try await writer(try plan()) }
        #expect(error?.code == .fileExists)
        #expect(try String(contentsOfFile: folder.file("take.mov"), encoding: .utf8) == "mine")
        #expect(folder.contents == ["take.mov"])
    }

    @Test func `a plan with an element that is missing starts nothing`() throws {
        #expect(throws: GStreamerError.self) {
            try MovieWriter(
                try plan([.make("no-such-element")]), destination: MovieDestination(FilePath(folder.file("x.mov"))),
                options: .init())
        }
        #expect(folder.contents.isEmpty)
    }
}

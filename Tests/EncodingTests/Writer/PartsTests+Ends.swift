import Errors
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Encoding

/// What becomes of the next file where an end comes before its first frame.
extension PartsTests {
    /// Whoever asks again had not heard yet that it has begun.
    @Test func `a file that has begun is not begun again`() async throws {
        let writer = try MovieWriter(
            try plan("qtmux", Self.jpeg), destination: MovieDestination(FilePath(folder.file("a.mov"))),
            options: .init())
        try await writer.start()
        let told = Task { await writer.finishedParts.reduce(into: [FinishedPart]()) { $0.append($1) } }
        func ask(_ name: String) async throws -> Bool {
            try await writer.split(
                to: MovieDestination(FilePath(folder.file(name))), options: .init(), at: .second)
        }
        #expect(try await ask("b.mov"))
        let (encoded, continuation) = AsyncStream.makeStream(of: Void.self)
        writer.onEncodedFrame { _ in continuation.yield() }
        var frames = encoded.makeAsyncIterator()
        for index in 0..<50 {
            #expect(Self.append(frame: index, to: writer, limit: 10) == .taken)
            Self.appendAudio(index, to: writer)
            await frames.next()
            if writer.partBegin > .zero { #expect(try await !ask("c.mov")) }
        }
        #expect(try await writer.finish(within: .seconds(120)).frames == 25)
        #expect(await told.value.count == 1 && folder.contents == ["a.mov", "b.mov"])
    }

    /// A camera that is slower than the microphone: the audio is over while the next file's key frame is still on its way.
    @Test func `audio that ends before the next file's first frame is in the file that it belongs to`() async throws {
        let plan = try plan("qtmux", Self.jpeg)
        let writer = try MovieWriter(
            plan, destination: MovieDestination(FilePath(folder.file("a.mov"))), options: .init())
        try await writer.start()
        let told = Task { await writer.finishedParts.reduce(into: [FinishedPart]()) { $0.append($1) } }
        #expect(
            try await writer.split(
                to: MovieDestination(FilePath(folder.file("b.mov"))), options: .init(), at: .second))
        for index in 0..<50 {
            Self.appendAudio(index, to: writer)
        }
        writer.endAudio()
        let (encoded, continuation) = AsyncStream.makeStream(of: Void.self)
        writer.onEncodedFrame { _ in continuation.yield() }
        var frames = encoded.makeAsyncIterator()
        for index in 0..<50 {
            #expect(Self.append(frame: index, to: writer, limit: 10) == .taken)
            await frames.next()
        }
        let last = try await writer.finish(within: .seconds(120))
        #expect(try await told.value.map { try $0.outcome.get().frames } == [25] && last.frames == 25)
        for name in ["a.mov", "b.mov"] { #expect(try await samples(name).count == 25 * 1920, "\(name)") }
    }

    /// The encoder lies so far behind that it has not come to the key frame when all has been handed in.
    @Test func `a file that was asked for is begun also where its key frame is still in the encoder at the end`()
        async throws
    {
        let slow = PipelineDescription.Node.make("identity", ["sleep-time": 20_000])
        let writer = try MovieWriter(
            try plan("qtmux", [slow] + Self.jpeg), destination: MovieDestination(FilePath(folder.file("a.mov"))),
            options: .init())
        try await writer.start()
        let told = Task { await writer.finishedParts.reduce(into: [FinishedPart]()) { $0.append($1) } }
        #expect(
            try await writer.split(
                to: MovieDestination(FilePath(folder.file("b.mov"))), options: .init(), at: .second))
        for index in 0..<50 {
            #expect(Self.append(frame: index, to: writer) == .taken)
            Self.appendAudio(index, to: writer)
        }
        let last = try await writer.finish(within: .seconds(120))
        #expect(try await told.value.map { try $0.outcome.get().frames } == [25] && last.frames == 25)
        #expect(folder.contents == ["a.mov", "b.mov"])
        for name in ["a.mov", "b.mov"] { #expect(try await samples(name).count == 25 * 1920, "\(name)") }
    }

    /// As on a disk that does not answer any more, while the next file's key frame is still in the encoder.
    @Test func `a file that hangs keeps the next one from nothing, and is told`() async throws {
        let slow = PipelineDescription.Node.make("identity", ["sleep-time": 20_000])
        let writer = try MovieWriter(
            try plan("qtmux", [slow] + Self.jpeg), destination: MovieDestination(FilePath(folder.file("a.mov"))),
            options: .init())
        let hang = Hang(after: 20)
        defer { hang.end() }
        _ = writer.sequence?.last?.pipeline.bin.element(named: "file")?.pad("sink")?.addBufferProbe { _ in hang.pass() }
        try await writer.start()
        let told = try await fillTwoFiles(writer)
        // A second without a frame would be short beside other programs.
        let last = try await writer.finish(within: .seconds(5), progressCounter: writer.countEncodedFrames())
        let parts = await told.value
        #expect(last.frames == 25 && last.isComplete && last.problem == nil, "\(last)")
        #expect(last.path.string == folder.file("b.mov") && parts.map(\.path.string) == [folder.file("a.mov")])
        let first = try #require(try parts.first?.outcome.get())
        #expect(first.isComplete && first.problem != nil && (1..<75).contains(first.frames), "\(first)")
        for name in ["a.mov", "b.mov"] { try await FFmpeg.decode(folder.file(name)) }
        #expect(try await samples("b.mov").count == 25 * 1920)
    }

    /// Then no file ends, neither the one that has all of its frames nor the one behind it.
    @Test func `audio whose encoder hangs keeps no file out of the result`() async throws {
        let writer = try MovieWriter(
            try plan("qtmux", Self.jpeg), destination: MovieDestination(FilePath(folder.file("a.mov"))),
            options: .init())
        let hang = Hang(after: 50)
        defer { hang.end() }
        _ = writer.audioEncoders[0].source.element.pad("src")?.addBufferProbe { _ in hang.pass() }
        let encoded = AsyncSignal()
        let count = Locked(0)
        writer.onEncodedFrame { _ in
            let number = count.withLock { count -> Int in
                count += 1
                return count
            }
            if number == 100 { encoded.fire() }
        }
        try await writer.start()
        let told = try await fillTwoFiles(writer)
        // Nothing but the audio is waited for.
        #expect(await encoded.wait(within: .seconds(120)))
        // All of it is waited for; what is left of the frames has to reach the file within it.
        let last = try await writer.finish(within: .seconds(30))
        let first = try #require(try await told.value.first?.outcome.get())
        #expect(first.isComplete && first.problem != nil && last.isComplete && last.problem != nil)
        #expect(first.frames == 75 && last.frames == 25, "\(first), \(last)")
        for name in ["a.mov", "b.mov"] { try await FFmpeg.decode(folder.file(name)) }
    }

    /// Hands in a hundred frames, and their audio; the last 25 are of another file.
    ///
    /// - Returns: the files that have ended before the last.
    private func fillTwoFiles(_ writer: MovieWriter) async throws -> Task<[FinishedPart], Never> {
        let told = Task { await writer.finishedParts.reduce(into: [FinishedPart]()) { $0.append($1) } }
        #expect(
            try await writer.split(
                to: MovieDestination(FilePath(folder.file("b.mov"))), options: .init(), at: 3 * .second))
        for index in 0..<100 {
            #expect(Self.append(frame: index, to: writer) == .taken)
            Self.appendAudio(index, to: writer)
        }
        return told
    }

    /// Stops the thread that passes, from a buffer on and until it is ended.
    private final class Hang: Sendable {
        private let left: Locked<Int>
        private let gate = DispatchSemaphore(value: 0)

        init(after count: Int) { left = Locked(count) }

        func pass() -> ProbeAnswer {
            let isOver = left.withLock { left in
                left -= 1
                return left < 0
            }
            guard isOver else { return .pass }
            gate.wait()
            gate.signal()
            return .pass
        }

        func end() { gate.signal() }
    }

    @Test func `a file that was asked for and whose key frame never comes is not there`() async throws {
        let writer = try MovieWriter(
            try plan("qtmux", Self.jpeg), destination: MovieDestination(FilePath(folder.file("a.mov"))),
            options: .init())
        try await writer.start()
        #expect(
            try await writer.split(
                to: MovieDestination(FilePath(folder.file("b.mov"))), options: .init(), at: .second))
        #expect(Self.append(frame: 0, to: writer) == .taken)
        #expect(try await writer.finish(within: .seconds(120)).frames == 1 && folder.contents == ["a.mov"])
    }

    @Test func `where the next file cannot be begun the movie goes on in the same one`() async throws {
        let writer = try MovieWriter(
            try plan("qtmux", Self.jpeg), destination: MovieDestination(FilePath(folder.file("a.mov"))),
            options: .init())
        try await writer.start()
        await #expect(throws: RushesError.self) {
            try await writer.split(to: MovieDestination("/proc/none/b.mov"), options: .init())
        }
        for index in 0..<10 { _ = Self.append(frame: index, to: writer) }
        let file = try await writer.finish(within: .seconds(120))
        #expect(file.frames == 10 && file.isComplete && folder.contents == ["a.mov"])
    }
}

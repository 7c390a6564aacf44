import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// What a GIF's blocks tell of its frames.
@Suite(.timeLimit(.minutes(10))) struct GIFIndexTests {
    private let folder: TemporaryFolder
    private let path: FilePath
    /// Delays of all kinds, the last frame as long as there is.
    private let gif = MadeGIF(
        width: 24, height: 16, repeats: 3,
        [
            .init((0, 0, 24, 16), color: 1, delay: 5), .init((4, 2, 9, 7), color: 2, delay: 0, disposal: 1),
            .init((0, 0, 1, 1), color: 3, delay: 1), .init((3, 3, 20, 12), color: 0, delay: 2),
            .init((0, 0, 24, 16), color: 2, delay: 65535),
        ])

    init() throws {
        folder = try TemporaryFolder()
        path = FilePath(folder.file("a.gif"))
    }

    private func write(_ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: URL(filePath: path.string))
    }

    private func read(_ bytes: some Sequence<UInt8>) throws -> GIFIndex {
        try write(bytes)
        return try GIFIndex(reading: path)
    }

    @Test func `each frame has its bytes and its time, and browsers' time where it has next to none`() throws {
        let index = try read(gif.bytes)
        #expect((index.width, index.height, index.repeats, index.isWhole) == (24, 16, 3, true))
        #expect(index.frames.map { Int($0.time.nanoseconds / 10_000_000) } == [0, 5, 15, 25, 27])
        #expect(index.frames.map { Int($0.duration.nanoseconds / 10_000_000) } == [5, 10, 10, 2, 65535])
        #expect(index.hastyFrameCount == 2 && !index.hasTransparency && index.rate == nil)
        #expect(index.frames.map { Int($0.bytes.upperBound) } == gif.ends.map { $0 + 1 })
        var handed: [UInt8] = []
        try index.forEachFrame(of: path) {
            handed += $1; return true
        }
        #expect(handed == gif.bytes.dropLast())
    }

    @Test func `what is transparent is known by what shows it`() throws {
        func isTransparent(_ frames: [MadeGIF.Frame]) throws -> Bool {
            try read(MadeGIF(width: 8, height: 8, frames).bytes).hasTransparency
        }
        let full = (0, 0, 8, 8)
        #expect(try !isTransparent([.init(full, color: 1, delay: 4)]))
        // Of a later one, what was drawn before is seen through it.
        #expect(
            try !isTransparent([.init(full, color: 1, delay: 4), .init(full, color: 2, delay: 4, isTransparent: true)]))
        #expect(try isTransparent([.init(full, color: 1, delay: 4, isTransparent: true)]))
        #expect(try isTransparent([.init((0, 0, 7, 8), color: 1, delay: 4)]))
        #expect(try isTransparent([.init(full, color: 1, delay: 4, disposal: 2)]))
        #expect(try isTransparent([.init(full, color: 1, delay: 4, disposal: 3)]))
    }

    @Test func `a constant rate is told as such`() throws {
        let frames = (0..<3).map { MadeGIF.Frame((0, 0, 8, 8), color: UInt8($0), delay: 4) }
        #expect(try read(MadeGIF(width: 8, height: 8, frames).bytes).rate.map(\.doubleValueOfTests) == 25)
    }

    @Test func `wherever a file is cut off, its whole frames are there`() throws {
        for count in 0..<gif.bytes.count {
            let whole = gif.ends.filter { $0 < count }.count
            try write(gif.bytes.prefix(count))
            do throws(MovieFileError) {
                let index = try GIFIndex(reading: path)
                #expect(index.frames.count == whole && !index.isWhole, "cut at \(count)")
            } catch {
                #expect(whole == 0, "cut at \(count): \(error)")
            }
        }
        #expect(try read(gif.bytes).isWhole)
    }

    @Test func `what is behind a frame and nothing that a GIF has makes it a damaged one`() throws {
        var bytes = gif.bytes
        bytes.insert(0x99, at: gif.ends[1] + 1)
        #expect(
            throws: MovieFileError.damaged(
                reason: "what follows its first 2 frames, at byte \(gif.ends[1] + 1), is not part of a GIF")
        ) { try read(bytes) }
        // Some writers end their blocks twice.
        bytes[gif.ends[1] + 1] = 0
        #expect(try read(bytes).frames.count == 5)
        #expect(throws: MovieFileError.self) { try read(Array("GIF89a".utf8)) }
        #expect(throws: MovieFileError.self) { try read(gif.bytes.prefix(25) + [0x3B]) }
    }
}

extension Fraction {
    fileprivate var doubleValueOfTests: Double { Double(numerator) / Double(denominator) }
}

import TestSupport
import Foundation
import SystemPackage

@testable import MovieFiles

extension Recording {
    /// A file written with `MovieFileWriter` from the first `count` bytes of the stream, in random pieces.
    func written(
        _ options: MovieFileWriter.Options? = nil, count: Int? = nil, finishing: Bool = true, seed: UInt64 = 1
    ) async throws -> (url: URL, finished: FinishedMovie?) {
        let stream = try await bytes.prefix(count ?? .max)
        let url = Scratch.directory.unique(ending)
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let writer = MovieFileWriter(
            descriptor: descriptor, options: options ?? MovieFileWriter.Options(audioPriming: audioPriming))
        try writer.append(inRandomPieces: Array(stream), seed: seed)
        return (url, finishing ? try writer.finish() : nil)
    }
}

extension MovieFileWriter {
    func append(inRandomPieces bytes: [UInt8], seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(
                rest.prefix(
                    Int.random(
                        in: 1...[1, 7, 100, 5000, 100_000][Int.random(in: 0..<5, using: &random)], using: &random)))
            rest = rest.dropFirst(piece.count)
            try piece.withBytes { (buffer) throws(MovieFileError) in try append(buffer) }
        }
    }
}

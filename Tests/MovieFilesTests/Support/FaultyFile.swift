import Foundation
import MediaTypes
import SystemPackage

@testable import MovieFiles

/// A real file whose disk fails: after a number of bytes, or at a certain step.
final class FaultyFile: RandomAccessFile {
    private let file: DescriptorFile
    private let descriptor: FileDescriptor
    /// Whether a part that is cut off leaves room; where another file shares the blocks it does not.
    var givesSpaceBack = true
    /// How many more bytes can be written.
    var space: Int = .max
    /// How many more writes and syncs succeed.
    var steps: Int = .max
    private(set) var stepsTaken = 0
    /// As of btrfs: each byte that is written takes space, over what is there too.
    let overwritesInPlace = false

    init(_ descriptor: FileDescriptor) {
        file = DescriptorFile(descriptor: descriptor)
        self.descriptor = descriptor
    }

    private func step(_ operation: String) throws(MovieFileError) {
        guard steps > 0 else { throw .system(operation: operation, .ioError) }
        steps -= 1
        stepsTaken += 1
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, written: inout Int) throws(MovieFileError) {
        try step("writing the movie")
        let fitting = min(bytes.count, space)
        space -= fitting
        try file.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(fitting)), at: offset, written: &written)
        guard fitting == bytes.count else { throw .noSpace(operation: "writing the movie") }
    }

    func read(upTo count: Int, at offset: UInt64) -> [UInt8] {
        file.read(upTo: count, at: offset)
    }

    func synchronize() throws(MovieFileError) {
        try step("flushing the movie to the disk")
    }

    func truncate(to size: UInt64) throws(MovieFileError) {
        try step("shortening the movie")
        let before = lseek(descriptor.rawValue, 0, SEEK_END)
        try file.truncate(to: size)
        if space < .max / 2, givesSpaceBack { space += max(0, Int(before) - Int(size)) }
    }
}

extension Recording {
    /// Writes the whole stream into a file that fails as `prepare` says, before `finish()` is called.
    func written(
        into prepare: (FaultyFile, MovieFileWriter) throws -> Void, space: Int = .max
    ) async throws -> (url: URL, result: Result<FinishedMovie, MovieFileError>) {
        let stream = try await bytes
        let url = Scratch.directory.unique(ending)
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let file = FaultyFile(descriptor)
        file.space = space
        let options = MovieFileWriter.Options(
            orientation: MovieOrientation(rotation: .half), audioPriming: audioPriming)
        let writer = MovieFileWriter(file: file, pusher: nil, options: options)
        try? writer.append(inRandomPieces: stream, seed: 3)
        try prepare(file, writer)
        do throws(MovieFileError) {
            return (url, .success(try writer.finish()))
        } catch {
            return (url, .failure(error))
        }
    }
}

import Foundation
import MediaTypes
import MovieFiles
import SystemPackage

/// Feeds everything that reads a file of unknown origin with what libFuzzer makes up.
///
/// The input is a file in memory, so that no disk is touched. Errors are the expected answer to most inputs; only a
/// crash, a hang or too much memory is a finding. Arguments are libFuzzer's: `MovieFilesFuzz NEW Corpus
/// -max_total_time=600` begins with the inputs of both folders and writes what it finds worth keeping into the first.
@main
enum FuzzTarget {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { data, size in
                let bytes = UnsafeRawBufferPointer(start: data, count: size)
                // Of Matroska there are copies only; the others say that it is no movie by its first bytes.
                if !bytes.starts(with: matroska) {
                    inspectAndEdit(bytes)
                    record(bytes)
                }
                copy(bytes)
                return 0
            })
    }
}

/// libFuzzer's own main function in another name: SwiftPM insists on one in this target.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

private let path = FilePath("/dev/shm/rushes-fuzz-\(getpid())")

private func write(_ bytes: UnsafeRawBufferPointer, _ body: () throws -> Void) {
    guard
        let descriptor = try? FileDescriptor.open(
            path, .readWrite, options: [.create, .truncate], permissions: .ownerReadWrite)
    else { return }
    _ = try? descriptor.writeAll(bytes)
    try? descriptor.close()
    try? body()
}

private func inspectAndEdit(_ bytes: UnsafeRawBufferPointer) {
    write(bytes) { _ = try MovieInfo(contentsOf: path) }
    write(bytes) { try MovieEditing.setOrientation(MovieOrientation(rotation: .quarter), ofMovieAt: path) }
    write(bytes) {
        try MovieEditing.setMetadata(
            MovieMetadata(title: "t", keywords: ["k"]), chapters: [.init(start: 0, title: "c")], ofMovieAt: path)
        _ = try MovieInfo(contentsOf: path)
    }
    write(bytes) {
        _ = try MovieRecovery.recover(path)
        _ = try MovieInfo(contentsOf: path)
    }
    write(bytes) {
        try MovieEditing.moveIndexToFront(ofMovieAt: path, writingTo: FilePath("\(path).front"), replacing: true)
    }
}

private func copy(_ bytes: UnsafeRawBufferPointer) {
    write(bytes) {
        for isWebM in [false, true] {
            try? MatroskaCopy.copy(path, to: output, options: .init(isWebM: isWebM), replacing: true)
        }
        let original = try MovieOriginal(path, isOwn: true)
        for options in copies { try? copy(original, options, isMatroska: bytes.starts(with: matroska)) }
        try begin(original)
    }
}

private let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
private let output = FilePath("\(path).copy")

private func part(_ begin: Double, _ end: Double) -> Range<MediaTime> {
    MediaTime(seconds: begin)..<MediaTime(seconds: end)
}

/// To either kind of file, as a whole and in part.
private let copies: [MovieCopy.Options] = [
    .init(fileType: .mov), .init(fileType: .mp4, putsIndexFirst: true),
    .init(fileType: .mp4, timeRange: part(0.1, 0.3)), .init(fileType: .mov, timeRange: part(0.2, 100)),
]

/// Plans a copy and writes it, beside the original in memory. What was copied can be read, but for descriptions that were
/// damaged in a movie already.
private func copy(_ original: MovieOriginal, _ options: MovieCopy.Options, isMatroska: Bool) throws {
    try MovieCopy(of: original, options: options).write(to: output, replacing: true)
    do {
        _ = try MovieInfo(contentsOf: output)
    } catch { if isMatroska { fatalError("the copy cannot be read: \(error)") } }
}

/// Takes the movie for an encoder's frames, which are to stand before its own.
private func begin(_ movie: MovieOriginal) throws {
    let storage = try FileDescriptor.open(
        FilePath("\(path).storage"), .readWrite, options: [.create, .truncate], permissions: .ownerReadWrite)
    defer { try? storage.close() }
    _ = try EncodedBeginning(movie, before: movie, storage: storage)
}

/// The same bytes as the stream of a muxer, in two pieces.
private func record(_ bytes: UnsafeRawBufferPointer) {
    guard
        let descriptor = try? FileDescriptor.open(
            path, .readWrite, options: [.create, .truncate], permissions: .ownerReadWrite)
    else { return }
    defer { try? descriptor.close() }
    let writer = MovieFileWriter(descriptor: descriptor)
    let middle = bytes.count / 3
    try? writer.append(UnsafeRawBufferPointer(rebasing: bytes[..<middle]))
    try? writer.append(UnsafeRawBufferPointer(rebasing: bytes[middle...]))
    _ = try? writer.finish()
}

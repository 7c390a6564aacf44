import TestSupport
import Foundation
import SystemPackage

@testable import MovieFiles

/// A recording of any length whose samples are holes: real headers, made-up fragments.
struct SyntheticRecording {
    /// How long each fragment lasts, in seconds.
    var fragmentDuration = 0.5
    var fragments: Int
    /// Of a frame, in bytes.
    var frameSize: UInt32 = 10_000
    private let stream: [UInt8]

    init(fragments: Int, frameSize: UInt32 = 10_000) async throws {
        self.fragments = fragments
        self.frameSize = frameSize
        stream = try await Recording.h264.bytes
    }

    /// Feeds a writer: 50 frames and 43 packets of audio a second.
    func feed(_ writer: MovieFileWriter) throws {
        let head = try KilledRecordingTests.boxEnds(stream, "moov")[0]
        try append(Array(stream.prefix(head)), to: writer)
        var random = SeededGenerator(state: 9)
        for fragment in 0..<fragments {
            try appendFragment(
                to: writer, track: 1, time: UInt64(fragment) * 1250, duration: 50, count: 25, size: frameSize,
                flags: { $0 == 0 ? 0x40 : 0x100C0 }, &random)
            try appendFragment(
                to: writer, track: 2, time: UInt64(fragment) * 21 * 1024, duration: 1024, count: 21, size: 300,
                flags: { _ in 0xC0 }, &random)
        }
    }

    private func appendFragment(
        to writer: MovieFileWriter, track: UInt32, time: UInt64, duration: UInt32, count: Int, size: UInt32,
        flags: (Int) -> UInt32, _ random: inout SeededGenerator
    ) throws {
        let sizes = (0..<count).map { _ in size + UInt32.random(in: 0...63, using: &random) }
        let total = sizes.reduce(0) { $0 + UInt64($1) }
        let needsLargeSize = total + 8 > UInt64(UInt32.max)
        let headerSize = needsLargeSize ? 16 : 8
        var moof = Box("moof", children: [])
        let tfhd = try Box(full: "tfhd") { (writer: inout ByteWriter) in writer.append(track) }
        let tfdt = try Box(full: "tfdt", version: 1) { (writer: inout ByteWriter) in writer.append(time) }
        let moofSize = 8 + 8 + 16 + 20 + 12 + 8 + count * 16
        let trun = try Box(full: "trun", flags: 0xF01) { (writer: inout ByteWriter) in
            writer.append(UInt32(count))
            writer.append(UInt32(moofSize + headerSize))
            for index in 0..<count {
                writer.append(duration)
                writer.append(sizes[index])
                writer.append(flags(index))
                writer.append(track == 1 ? duration * UInt32([2, 4, 2, 0, 1][index % 5]) : 0)
            }
        }
        moof.children = [Box("traf", children: [tfhd, tfdt, trun])]
        try append(try moof.serialized(), to: writer)
        var header = ByteWriter()
        header.append(needsLargeSize ? 1 : UInt32(total + 8))
        header.append(FourCC("mdat"))
        if needsLargeSize { header.append(total + 16) }
        try append(header.bytes, to: writer)
        var left = Int(total)
        while left > 0 {
            let count = min(left, Self.hole.count)
            try writer.append(UnsafeRawBufferPointer(rebasing: Self.hole[..<count]))
            left -= count
        }
    }

    private func append(_ bytes: [UInt8], to writer: MovieFileWriter) throws {
        try bytes.withBytes { (buffer) throws(MovieFileError) in try writer.append(buffer) }
    }

    /// Zeros that `SparseFile` does not write.
    nonisolated(unsafe) static let hole = UnsafeRawBufferPointer(
        UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 20, alignment: 16))
}

/// A real file in which holes stay holes.
struct SparseFile: RandomAccessFile {
    let file: DescriptorFile

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, written: inout Int) throws(MovieFileError) {
        if let start = bytes.baseAddress, let hole = SyntheticRecording.hole.baseAddress,
            start >= hole, start < hole + SyntheticRecording.hole.count
        {
            written = bytes.count
            return
        }
        try file.write(bytes, at: offset, written: &written)
    }

    func read(upTo count: Int, at offset: UInt64) -> [UInt8] { file.read(upTo: count, at: offset) }
    func synchronize() throws(MovieFileError) { try file.synchronize() }
    func truncate(to size: UInt64) throws(MovieFileError) { try file.truncate(to: size) }
}

extension SyntheticRecording {
    /// Writes the recording; `finish` gets the writer when all is fed.
    func written<Value>(_ finish: (MovieFileWriter) throws -> Value) throws -> (url: URL, value: Value) {
        let url = Scratch.directory.unique("mp4")
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let writer = MovieFileWriter(
            file: SparseFile(file: DescriptorFile(descriptor: descriptor)), pusher: nil,
            options: MovieFileWriter.Options(audioPriming: 1024))
        try feed(writer)
        return (url, try finish(writer))
    }
}

import Foundation
import SystemPackage

/// Copies runs of bytes from one file, or two, into another, one behind the other.
///
/// Large ones are left to the kernel, or shared; small ones are gathered, so that a movie that is cut into many does not
/// cost many calls.
struct RunCopier {
    private let source: SourceFiles
    /// The file of an encoded beginning.
    private let beginning: FileDescriptor?
    private let target: FileDescriptor
    /// Where the next byte goes.
    private(set) var position: UInt64
    /// Runs of one file that are still to be copied, which lie close behind each other.
    private var pending: [CopyRun] = []
    private var gathered: [UInt8] = []

    /// From this size on a run is copied by itself, and that much is gathered of smaller ones.
    private static let largeSize: UInt64 = 1 << 20
    /// What lies between two runs is read too, where it is no more than this.
    private static let largestGap: UInt64 = 32 << 10

    init(
        source: SourceFiles, beginning: FileDescriptor? = nil, target: FileDescriptor, position: UInt64
    ) {
        (self.source, self.beginning) = (source, beginning)
        self.target = target
        self.position = position
    }

    /// - Parameter progress: Told now and then where the next byte goes; false ends the copy.
    mutating func copy(_ runs: [CopyRun], progress: (UInt64) -> Bool) throws(MovieFileError) {
        for run in runs { try copy(run, progress: progress) }
        try gather(progress)
        try write(progress)
    }

    private mutating func copy(_ run: CopyRun, progress: (UInt64) -> Bool) throws(MovieFileError) {
        let bytes = run.bytes
        if let last = pending.last, let first = pending.first,
            last.isEncoded != run.isEncoded || bytes.lowerBound < last.bytes.upperBound
                || bytes.lowerBound - last.bytes.upperBound > Self.largestGap
                || bytes.upperBound - first.bytes.lowerBound > Self.largeSize
        {
            try gather(progress)
        }
        guard bytes.count >= Self.largeSize else {
            pending.append(run)
            return
        }
        try gather(progress)
        try write(progress)
        let start = position
        let (file, base) = file(run)
        try FileCopy.copy(bytes.lowerBound - base..<bytes.upperBound - base, of: file, to: position, of: target) {
            (count) throws(MovieFileError) in
            guard progress(start + count) else { throw .cancelled }
        }
        position += UInt64(bytes.count)
        // Shared blocks tell nothing on their way.
        guard progress(position) else { throw .cancelled }
    }

    /// The file that a run lies in, and by how much its place there is lower.
    private func file(_ run: CopyRun) -> (FileDescriptor, UInt64) {
        if run.isEncoded, let beginning { return (beginning, 0) }
        return source.file(at: run.bytes.lowerBound)
    }

    /// Reads the pending runs at once.
    private mutating func gather(_ progress: (UInt64) -> Bool) throws(MovieFileError) {
        guard let first = pending.first, let last = pending.last else { return }
        let start = first.bytes.lowerBound
        let count = Int(last.bytes.upperBound - start)
        let (file, base) = file(first)
        let bytes = try ReadableFile(file).read(upTo: count, at: start - base)
        guard bytes.count == count else {
            throw .system(operation: "copying the movie, which became shorter,", .ioError)
        }
        for run in pending {
            let range = run.bytes
            gathered.append(contentsOf: bytes[Int(range.lowerBound - start)..<Int(range.upperBound - start)])
        }
        pending.removeAll(keepingCapacity: true)
        if gathered.count >= Int(Self.largeSize) { try write(progress) }
    }

    private mutating func write(_ progress: (UInt64) -> Bool) throws(MovieFileError) {
        guard !gathered.isEmpty else { return }
        try DescriptorFile(descriptor: target).write(gathered, at: position)
        position += UInt64(gathered.count)
        gathered.removeAll(keepingCapacity: true)
        guard progress(position) else { throw .cancelled }
    }
}

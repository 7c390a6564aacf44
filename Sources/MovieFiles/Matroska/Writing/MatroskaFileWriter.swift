import FileSystem
import Foundation
import MediaTypes
package import SystemPackage

/// Writes a Matroska or WebM file as its muxer makes it, and completes it where the muxer could not.
///
/// Used from one thread at a time.
package final class MatroskaFileWriter {
    private let descriptor: FileDescriptor
    private let file: DescriptorFile
    private let pusher: WritebackThread?
    private var reserve: SpaceReserve
    private let share: SizeLimit.Share?
    private var scan = MatroskaScan()
    private var failure: MovieFileError?
    private var clusterCount = 0
    /// Whether frames gave way to an index.
    private var isCut = false
    private let end: @Sendable () -> MediaTime?
    /// Where the file ends so far.
    package private(set) var bytesWritten: UInt64 = 0

    /// - Parameters:
    ///   - descriptor: Of an empty file, open for reading and writing. It stays yours to close; until then nothing
    ///     here edits or recovers the file, which is locked (`flock`).
    ///   - options: Where another movie follows, and how large this one may be; all else is the muxer's.
    package init(descriptor: FileDescriptor, options: MovieFileWriter.Options = .init()) {
        self.descriptor = descriptor
        end = options.end
        share = options.sizeLimit.map { SizeLimit.Share($0) }
        file = DescriptorFile(descriptor: descriptor, share: share)
        pusher = WritebackThread(descriptor)
        reserve = SpaceReserve(descriptor)
        do { try FileLock.exclusive.acquire(descriptor) } catch { failure = error }
    }

    /// What it takes to have the file on the disk; `nil` where nothing puts it there.
    package var syncs: DiskDelay? { pusher?.delay }

    deinit { pusher?.stop() }

    /// Writes bytes to a place of the file: the muxer comes back to what it left open.
    ///
    /// - Throws: `noSpace` or `system` where the file cannot be written. Afterwards nothing more is taken, but
    ///   ``finish(isWhole:)`` still works.
    package func append(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(MovieFileError) {
        if let failure { throw failure }
        var written = 0
        defer {
            bytesWritten = max(bytesWritten, offset + UInt64(written))
            let whole = UnsafeRawBufferPointer(rebasing: bytes[..<written])
            // What cannot be counted plays all the same.
            try? scan.take(whole, at: offset)
        }
        do { try file.write(bytes, at: offset, written: &written) } catch {
            failure = error
            throw error
        }
        if scan.clusters.count != clusterCount {
            clusterCount = scan.clusters.count
            reserve.keep(UInt64(clusterCount) * Self.cueSize)
            share?.keep(UInt64(clusterCount) * Self.cueSize + Self.tagsSize)
            pusher?.push()
        }
    }

    /// Of one cue, in bytes, and of what else the muxer writes at its end.
    private static let (cueSize, tagsSize): (UInt64, UInt64) = (32, 1 << 12)

    /// Puts the file on the disk; where the muxer could not write its last word, it is completed as far as it came. Where there
    /// is no room for that, the last frames give way to it.
    ///
    /// - Parameter isWhole: Whether the muxer came to its end.
    /// - Throws: `noSamples` where nothing was recorded, `noSpace`, `system`; the file then plays as it is.
    package func finish(isWhole: Bool) throws(MovieFileError) -> FinishedMovie {
        pusher?.stop()
        defer {
            _ = reserve.release()
            FileLock.release(descriptor)
        }
        share?.keep(0)
        if isWhole, failure == nil {
            let movie = try lasting(muxed)
            try removeTitleTags()
            try file.synchronize()
            return movie
        }
        var (tries, shortage) = (0, MovieFileError?.none)
        while true {
            do {
                var movie = try MatroskaRecovery.complete(file)
                movie.shortage = shortage
                return try lasting(movie)
            } catch {
                guard error.isOutOfSpace else { throw error }
                if reserve.release() { continue }
                guard tries < Self.maximumTries, try !takesNothing(), try giveWay(tries) else { throw error }
                shortage = error
                tries += 1
            }
        }
    }

    /// As ``MovieFileWriter`` gives up samples for its index.
    private static let maximumTries = 3
    private static let smallestReserve: UInt64 = 64 << 10

    /// What the file holds where it could not be completed.
    package var unfinished: FinishedMovie {
        guard isCut, let left = try? MatroskaScan(ReadableFile(descriptor)) else { return ended.movie }
        return left.movie
    }

    private var ended: MatroskaScan {
        var scan = scan
        scan.end(at: bytesWritten)
        return scan
    }

    /// What the muxer wrote, with the length that it told.
    private var muxed: FinishedMovie {
        let scan = ended
        var movie = scan.movie
        movie.fileSize = bytesWritten
        if let place = scan.info?.duration, let scale = scan.info?.timestampScale {
            let ticks = file.read(upTo: place.count, at: place.lowerBound)[...].floatingPoint
            if let ticks, ticks > 0 { movie.duration = MediaTime(seconds: ticks * Double(scale) / 1e9).clamped }
        }
        return movie
    }

    /// The muxer says twice how a track is called.
    private func removeTitleTags() throws(MovieFileError) {
        guard let start = scan.segment?.dataOffset else { return }
        for patch in MatroskaTrackTitles.patches(from: start, in: file) {
            try file.write(patch.bytes, at: patch.offset)
        }
    }

    /// Has a complete file say that it lasts until another one follows. The last block has no length of its own (matroskamux writes
    /// SimpleBlocks), and would have to move all that comes behind it for one.
    private func lasting(_ movie: FinishedMovie) throws(MovieFileError) -> FinishedMovie {
        guard let end = end(), end > movie.duration, let info = scan.info, info.duration != nil
        else { return movie }
        for patch in info.patches(lasting: (Double(end.nanoseconds) / Double(info.timestampScale)).rounded()) {
            try file.write(patch.bytes, at: patch.offset)
        }
        var movie = movie
        movie.duration = end
        return movie
    }

    private func takesNothing() throws(MovieFileError) -> Bool {
        file.takesNothing(before: try ReadableFile(descriptor).size)
    }

    /// Cuts the end off, more with each try, and of a small file less; false where half of it would be gone.
    private func giveWay(_ tries: Int) throws(MovieFileError) -> Bool {
        let size = try ReadableFile(descriptor).size
        let count = min(Self.smallestReserve, size / 16) << (2 * UInt64(tries))
        guard size > count * 2 else { return false }
        try file.truncate(to: size - count)
        isCut = true
        return true
    }
}

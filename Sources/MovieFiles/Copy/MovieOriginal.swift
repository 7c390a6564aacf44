import FileSystem
package import SystemPackage

/// A movie that is copied: open, guarded against writers and its index read once, for all copies and parts that are made of it.
///
/// It stays open as long as this object lives.
package final class MovieOriginal: Sendable {
    let file: ReadableFile
    let source: CopySource
    private let lock: FileLock?

    /// Opens the movie and reads its index.
    ///
    /// - Parameters:
    ///   - places: Which tracks are there for all that is made of it.
    ///   - isOwn: Whether the caller has just made the file, so that nobody is asked who else writes it: a program that this
    ///   process is starting holds it open for a moment.
    ///   - isForMatroska: Whether it is copied into Matroska, and into nothing else.
    /// - Throws: `notAMovie`, `invalidBox`, `notAFile`, `system`; `unsupported` where another program has it open for writing.
    package init(
        _ path: FilePath, tracks places: TrackPlaces = TrackPlaces(), isOwn: Bool = false, isForMatroska: Bool = false
    ) throws(MovieFileError) {
        let lock: FileLock? = isOwn ? nil : .shared
        let file = try ReadableFile.opened(path, lock: lock)
        do throws(MovieFileError) {
            source = try CopySource(file, places, isForMatroska: isForMatroska)
        } catch {
            file.close(lock: lock)
            throw error
        }
        (self.file, self.lock) = (file, lock)
    }

    /// Whether it is a QuickTime movie, and no MP4.
    package var isQuickTime: Bool { source.isQuickTime }

    /// Whether it has video or audio that a kind of movie cannot hold as it is, so that a copy would lack it.
    ///
    /// - Throws: `invalidBox` where its index is damaged.
    package func losesMedia(in type: MovieFileType) throws(MovieFileError) -> Bool {
        guard source.matroska == nil, source.fileType != type else { return false }
        for trak in source.moov.all("trak") {
            let mdia = try trak.required("mdia")
            let handler = try mdia.required("hdlr").handlerType()
            guard handler == "vide" || handler == "soun" else { continue }
            let stbl = try mdia.required("minf").required("stbl")
            let entries = try SampleEntry.entries(of: try stbl.required("stsd"), handler: handler)
            let isRefused = entries.contains {
                type.refusal(handler: handler, format: $0.format, isChapters: false) != nil
            }
            // A track without samples is left out of any copy.
            if isRefused, try SampleTable(stbl, bytesPerFrame: nil).count > 0 { return true }
        }
        return false
    }

    deinit { file.close(lock: lock) }
}

/// The files that samples are copied from, as one row of bytes: each begins where a block does, far behind the one before.
struct SourceFiles: Sendable {
    private var starts: [UInt64] = [0]
    private var files: [FileDescriptor]
    /// Where the next file would begin.
    private(set) var end: UInt64

    init(_ file: FileDescriptor, size: UInt64 = 0) {
        files = [file]
        end = Self.next(size)
    }

    /// - Returns: where it begins in the row.
    mutating func append(_ file: FileDescriptor, size: UInt64) -> UInt64 {
        defer { end = Self.next(end + size) }
        starts.append(end)
        files.append(file)
        return end
    }

    /// The file that a byte of the row lies in, and where it begins.
    func file(at offset: UInt64) -> (FileDescriptor, UInt64) {
        let index = starts.lastIndex { $0 <= offset } ?? 0
        return (files[index], starts[index])
    }

    /// More than is read over between two runs, so that no reading goes over a file's end.
    private static func next(_ end: UInt64) -> UInt64 { ((end + (128 << 10)) | 4095) + 1 }
}

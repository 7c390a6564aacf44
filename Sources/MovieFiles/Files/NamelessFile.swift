import CFileSpace
import FileSystem
import Foundation
import SystemPackage

/// An open file without a name, whose bytes go into a new one.
///
/// Where the disk has no room for both, each piece is given back once the new file has it. A copy that fails after that leaves the beginning
/// in the one and the rest in the other: the next copy is made of both.
struct NamelessFile {
    private let file: FileDescriptor
    private let size: UInt64
    private let device: dev_t
    private(set) var beginning: Beginning?

    /// A copy that did not come to its end, the only place of what was given back.
    struct Beginning {
        let path: FilePath
        /// In bytes.
        var size: UInt64
        fileprivate let file: FileDescriptor
    }

    /// - Parameter file: open for reading and writing.
    init(_ file: FileDescriptor) throws(MovieFileError) {
        self.file = file
        size = try ReadableFile(file).size
        device = try Self.device(of: file)
    }

    /// Closes what is left of copies that failed; their files stay.
    func close() { try? beginning?.file.close() }

    /// Copies all of it into a new file, which the descriptor then leads to.
    ///
    /// - Throws: `fileExists` if the name is taken; why the disk did not take it. Then there is no file of that name, but where it is
    ///   the ``beginning`` from then on.
    mutating func copy(to path: FilePath, _ progress: (UInt64) -> Void) throws(MovieFileError) {
        let operation = "keeping the movie as \(path.wireText)"
        let opened = path.withPlatformString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard opened >= 0 else { throw MovieFileError(Errno(rawValue: errno), operation: operation) }
        let new = FileDescriptor(rawValue: opened)
        var moved: UInt64 = 0
        do throws(MovieFileError) {
            try copy(to: new, moved: &moved, progress)
            guard dup2(opened, file.rawValue) >= 0 else {
                throw MovieFileError(Errno(rawValue: errno), operation: operation)
            }
        } catch {
            if moved > 0 {
                beginning = Beginning(path: path, size: moved, file: new)
            } else {
                path.removeFile()
                try? new.close()
            }
            throw error
        }
        _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC)
        try? new.close()
        removeBeginning()
    }

    /// In bytes.
    private static let pieceSize: UInt64 = 64 << 20

    /// - Parameter moved: how many bytes from the first one on are in the new file only.
    private func copy(
        to new: FileDescriptor, moved: inout UInt64, _ progress: (UInt64) -> Void
    ) throws(MovieFileError) {
        let free = freeSpace(new).map { UInt64(clamping: $0) } ?? .max
        let isScarce = free < size + Self.pieceSize
        let isOneDisk = try Self.device(of: new) == device
        // Where a copy in pieces came to no end there is no room for another one.
        if isScarce, !isOneDisk || beginning != nil { throw .noSpace(operation: "keeping the movie") }
        var place: UInt64 = 0
        while place < size {
            let end = min(size, place + (isScarce ? min(Self.pieceSize, max(1 << 20, free / 4)) : size))
            try copy(place..<end, to: new, progress)
            if isScarce {
                let hole = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE
                if fallocate(file.rawValue, hole, off_t(place), off_t(end - place)) == 0 { moved = end }
            }
            place = end
        }
    }

    /// Copies a range to the same place, from whichever file has it.
    private func copy(
        _ range: Range<UInt64>, to new: FileDescriptor, _ progress: (UInt64) -> Void
    ) throws(MovieFileError) {
        let border = min(range.upperBound, max(range.lowerBound, beginning?.size ?? 0))
        for (part, source) in [(range.lowerBound..<border, beginning?.file), (border..<range.upperBound, file)] {
            guard let source, !part.isEmpty else { continue }
            try FileCopy.copy(part, of: source, to: part.lowerBound, of: new) { (count) throws(MovieFileError) in
                progress(part.lowerBound + count)
            }
        }
    }

    /// What a whole copy has is needed nowhere else. A file that somebody put in its place stays.
    private mutating func removeBeginning() {
        guard let beginning else { return }
        if FileWhereabouts(of: beginning.file, at: beginning.path) == .here { beginning.path.removeFile() }
        try? beginning.file.close()
        self.beginning = nil
    }

    private static func device(of file: FileDescriptor) throws(MovieFileError) -> dev_t {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else {
            throw MovieFileError(Errno(rawValue: errno), operation: "looking at the file")
        }
        return status.st_dev
    }
}

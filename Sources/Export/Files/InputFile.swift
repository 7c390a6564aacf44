import Errors
import Foundation
import GStreamer
import MovieFiles
import SystemPackage

/// A file that is read, opened once: what is named afterwards is its descriptor, as GStreamer's locations are text and a
/// Linux file name is any bytes.
final class InputFile: Sendable {
    let path: FilePath
    let size: Int64
    let modified: timespec
    let accessed: timespec
    private let descriptor: FileDescriptor

    /// - Throws: ``RushesError`` if it is missing, empty, a folder or anything else that is not an ordinary file.
    init(_ path: FilePath) throws(RushesError) {
        self.path = path
        let name = path.displayName
        let opened: FileDescriptor
        do {
            // Without blocking: opening a FIFO would wait for its writer.
            opened = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            throw RushesError(.badInput, "\(name) does not exist.")
        } catch {
            throw RushesError(.badInput, "\(name) cannot be opened: \(error).")
        }
        var status = stat()
        let kind = fstat(opened.rawValue, &status) == 0 ? status.st_mode & S_IFMT : 0
        let refusal: String? =
            switch kind {
            case S_IFDIR: "is a folder; name a file in it"
            case S_IFREG: status.st_size == 0 ? "is empty" : nil
            default: "is not an ordinary file; copy what it gives to one first"
            }
        if let refusal {
            try? opened.close()
            throw RushesError(.badInput, "\(name) \(refusal).")
        }
        descriptor = opened
        size = Int64(status.st_size)
        (modified, accessed) = (status.st_mtim, status.st_atim)
    }

    deinit { try? descriptor.close() }

    /// What is said where it was written to since it was opened: what was read may be a part of the one and of the other. Blocks.
    var changeNote: String? {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { return nil }
        let (now, name) = (Int64(status.st_size), path.lastComponent.map { String(decoding: $0) } ?? path.displayName)
        if now < size {
            return "\(name) was cut off while it was read, from \(size) bytes to \(now): what lay there may be missing."
        }
        if now > size {
            return "\(name) grew while it was read, by \(now - size) bytes, which may be missing; "
                + "export it again when it is whole."
        }
        guard (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) != (modified.tv_sec, modified.tv_nsec) else { return nil }
        return "\(name) was written to while it was read, and what was exported may be damaged; export it again."
    }

    /// A path of ASCII letters that opens the same file anew, as long as this object lives.
    var location: String { "/proc/self/fd/\(descriptor.rawValue)" }
}

extension FilePath {
    /// For people: as text, and where it is not UTF-8 as nearly as can be.
    var displayName: String { String(decoding: self) }
}

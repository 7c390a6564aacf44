import Errors
import FileSystem
import Foundation
import MovieFiles
package import SystemPackage

/// A complete movie until its end is told: others may give it another name meanwhile, or delete it.
///
/// Its descriptor only names the file, so that nobody takes it for one that is being written.
final class CompleteFile: Sendable {
    private let descriptor: FileDescriptor

    /// `O_PATH` of `fcntl.h`, which Swift's Glibc module leaves out.
    private static let onlyNames: CInt = 0o10_000_000

    /// - Parameter file: still open.
    /// - Returns: `nil` where the system has no room for another descriptor.
    init?(_ file: FileDescriptor) {
        guard let own = Self.open(file, Self.onlyNames) else { return nil }
        descriptor = own
    }

    deinit { try? descriptor.close() }

    /// Looks where it is, and keeps it under a free name where it has none any more. Blocks as long as the disk does.
    ///
    /// - Parameters:
    ///   - path: its name when it was complete.
    ///   - progress: told how many bytes of it are kept.
    /// - Returns: its name, and what happened to it; `nil` where it is still there.
    /// - Throws: ``RushesError`` if no folder has room for it; then it is gone.
    func settle(_ path: FilePath, _ progress: (UInt64) -> Void) throws(RushesError) -> SettledFile? {
        let place = path.absolute
        let found = FileWhereabouts(of: descriptor, at: place)
        switch found {
        case .here: return nil
        case .moved(let name): return SettledFile(path: name)
        case .deleted, .replaced, .unmounted:
            let words = found.loss(of: path)
            do {
                guard let file = Self.open(descriptor, O_RDWR) else { throw Errno(rawValue: errno) }
                defer { try? file.close() }
                return SettledFile(
                    path: try FileRescue.rescue(file, from: place, progress: progress), fault: .lost(words))
            } catch {
                throw RushesError(
                    .writeFailed, on: path.string, "\(words), and could not be kept: \(error)", underlying: error)
            }
        }
    }

    /// The same file once more, whether it has a name or not.
    private static func open(_ file: FileDescriptor, _ flags: CInt) -> FileDescriptor? {
        let opened = Foundation.open("/proc/self/fd/\(file.rawValue)", flags | O_CLOEXEC)
        return opened >= 0 ? FileDescriptor(rawValue: opened) : nil
    }
}

/// Where a complete movie was found when its end was told.
package struct SettledFile: Sendable, Equatable {
    package var path: FilePath
    /// That it had to be kept; `nil` where it only has another name.
    package var fault: FinishedFile.Fault?
}

import Errors
import FileSystem
import Foundation
import SystemPackage

/// A hidden folder for what an encoder's first pass tells its second one: a file whose name the encoder chooses around ours.
///
/// Its holder has the kernel's lock on it, which opens when a process dies; what a killed one has left is taken away by the
/// next that comes to the same folder.
final class PassStatistics: Sendable {
    private let place: FolderDescriptor
    private let name: FilePath.Component
    private let folder: FolderDescriptor

    /// Of the folder's name, and of the files in it, to which encoders add endings.
    static let prefix = ".rushes-passes-"
    static let fileName = "statistics"

    /// - Parameter place: beside the output, as an hour of frames can take a gigabyte.
    /// - Throws: ``RushesError`` if the place takes no folder.
    init(in place: FilePath) throws(RushesError) {
        do {
            (self.place, name, folder) = try Self.make(in: FolderDescriptor(place))
        } catch {
            throw RushesError(
                error == .noSpace ? .diskFull : .encoderFailed,
                "\(place.displayName) cannot take a folder for the first pass: \(error).")
        }
    }

    private static func make(in place: FolderDescriptor) throws(Errno) -> (
        FolderDescriptor, FilePath.Component, FolderDescriptor
    ) {
        removeLeftovers(in: place)
        while true {
            let text = prefix + UUID().uuidString
            try place.makeFolder(text, permissions: 0o700)
            let folder = try place.folder(text)
            // On a file system without locks nobody has one, and the folder is left alone.
            _ = lock(folder)
            // Before that, another could take it for a leftover.
            if let name = FilePath.Component(text), isThere(folder) { return (place, name, folder) }
        }
    }

    /// A path of ASCII letters without a colon, whatever the output's folder is called, as long as this object lives.
    var location: String { folder.location.appending(Self.fileName).string }

    var isWritten: Bool { access(location, R_OK) == 0 }

    /// Takes the folder away, with all that is in it.
    func remove() { Leftovers.removePasses(name, in: place) }

    private static func removeLeftovers(in place: FolderDescriptor) {
        for name in place.names where name.string.hasPrefix(prefix) {
            guard let folder = try? place.folder(name.string), lock(folder) else { continue }
            Leftovers.removePasses(name, in: place)
        }
    }

    private static func lock(_ folder: FolderDescriptor) -> Bool {
        FileLock.exclusive.ask(folder.descriptor) == .taken
    }

    private static func isThere(_ folder: FolderDescriptor) -> Bool {
        var status = stat()
        return fstat(folder.descriptor.rawValue, &status) == 0 && status.st_nlink > 0
    }
}

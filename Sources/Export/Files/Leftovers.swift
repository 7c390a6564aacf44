import FileSystem
import Foundation
import SystemPackage

/// Takes away what exports have left: only what this user made and what has a name that Rushes gives. Whatever else lies
/// there stays, and so does its folder.
enum Leftovers {
    /// Names as an export gives them in the folder that it works in.
    static func isOfExport(_ name: FilePath.Component) -> Bool {
        let text = name.string
        if text == "thumbnail.jpg" { return true }
        if text.hasPrefix("movie.") { return true }
        // Files that get their name later, on file systems where they need one meanwhile.
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, ["partial", "rushes"].contains(parts[2]) else { return false }
        return UUID(uuidString: String(parts[1])) != nil
    }

    /// Takes a folder away with what exports have left in it.
    static func removeWork(_ name: FilePath.Component, in place: FolderDescriptor) {
        guard let folder = open(name, in: place) else { return }
        for name in folder.names {
            if isOfExport(name) {
                removeFile(name, in: folder)
            } else if name.string.hasPrefix(PassStatistics.prefix) {
                removePasses(name, in: folder)
            }
        }
        place.removeFolder(name)
    }

    /// Takes the folder of an encoder's first pass away.
    static func removePasses(_ name: FilePath.Component, in place: FolderDescriptor) {
        guard let folder = open(name, in: place) else { return }
        for name in folder.names where name.string.hasPrefix(PassStatistics.fileName) {
            removeFile(name, in: folder)
        }
        place.removeFolder(name)
    }

    /// A folder that this user made; `nil` for a link and for another's.
    private static func open(_ name: FilePath.Component, in place: FolderDescriptor) -> FolderDescriptor? {
        guard let folder = try? place.folder(name.string), folder.isOwn else { return nil }
        return folder
    }

    private static func removeFile(_ name: FilePath.Component, in folder: FolderDescriptor) {
        guard let status = folder.status(name), status.st_uid == folder.owner, status.st_mode & S_IFMT == S_IFREG
        else { return }
        folder.removeFile(name)
    }
}

extension FolderDescriptor {
    /// Whether it is this user's. On file systems that know no users (FAT), or another machine's (NFS), files belong to
    /// somebody else than the process runs as; there it is, if what this process makes in it belongs to the same.
    var isOwn: Bool {
        guard owner != geteuid() else { return true }
        let name = ".\(UUID().uuidString).rushes"
        guard (try? makeFolder(name, permissions: 0o700)) != nil, let component = FilePath.Component(name) else {
            return false
        }
        defer { removeFolder(component) }
        return status(component)?.st_uid == owner
    }
}

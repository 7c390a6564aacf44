import FileSystem
import Foundation
import SystemPackage

/// Small files that belong to activities and stay for a while when those have ended.
enum OldFiles {
    /// Ended work is on the page for four hours, and a batch of thousands leaves no more than this.
    private static let (lifetime, most) = (4.0 * 3600, 200)

    /// Removes those that nobody is shown any more: the oldest. Work that still runs writes its own again.
    static func tidy(_ folder: FilePath, ending: String, now: Date = Date()) {
        guard let names = try? FolderDescriptor.texts(in: folder), let place = try? FolderDescriptor(folder) else {
            return
        }
        let files = names.filter { $0.hasSuffix(ending) }.compactMap {
            text -> (name: FilePath.Component, age: Double)? in
            guard let name = FilePath.Component(text), let status = place.status(name) else { return nil }
            return (name, now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec))
        }
        for (order, file) in files.sorted(by: { $0.age < $1.age }).enumerated()
        where order >= most || file.age > lifetime {
            place.removeFile(file.name)
        }
    }
}

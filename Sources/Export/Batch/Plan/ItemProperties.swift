import Foundation
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage

/// What is known of an input before it is opened for decoding: the index of a QuickTime or MP4 file tells all of it within
/// a millisecond, of any other only the size counts.
enum ItemProperties {
    static func read(_ path: FilePath) -> BatchProgress.Item {
        guard let identity = FileIdentity(path) else { return BatchProgress.Item() }
        var facts = BatchProgress.Item(bytes: identity.size)
        guard ["mov", "mp4", "m4v", "qt", "3gp"].contains(path.extension?.lowercased()),
            FolderListing.isFile(path), let info = try? MovieInfo(contentsOf: path)
        else { return facts }
        facts.duration = info.duration.seconds
        facts.pixels = info.video.first.map { $0.width * $0.height }
        return facts
    }
}

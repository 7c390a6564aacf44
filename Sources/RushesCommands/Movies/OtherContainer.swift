import ArgumentParser
import Encoding
import MovieFiles
import SystemPackage

/// Refuses a name that says that a new movie is Matroska or WebM, where it is QuickTime or MP4 like the old one.
func refuseOtherContainer(_ target: FilePath) throws {
    guard let container = try? MovieDestination(target).container(),
        !container.isMovieFile || !container.holdsVideo
    else { return }
    throw ValidationError(
        "The new movie would not be \(container.displayName) but as the old one is; name it .mov or .mp4.")
}

extension MovieFileType {
    /// nil where the ending says nothing of QuickTime or MP4.
    init?(endingOf target: FilePath) {
        switch try? MovieDestination(target).container() {
        case .mov: self = .mov
        case .mp4: self = .mp4
        default: return nil
        }
    }
}

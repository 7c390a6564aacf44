import Encoding
import MovieFiles

extension Container {
    /// Which kind of movie it is; of use where it is one.
    var movieFileType: MovieFileType { self == .mov ? .mov : .mp4 }
}

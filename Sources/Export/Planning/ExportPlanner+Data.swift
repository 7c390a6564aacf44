import Encoding
import MovieFiles

extension ExportPlanner {
    /// Whether the input's data tracks are added to the movie once it is complete, where it is made of one part.
    var keepsData: Bool {
        target.container.isMovieFile && target.container.holdsVideo && properties.movie != nil && target.tempo == 1
            && target.edge == nil && target.settings.stripsMetadata != true
    }
}

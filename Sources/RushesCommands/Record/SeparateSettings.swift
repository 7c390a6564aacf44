import Encoding
import Errors
import MediaTypes
import MovieFiles

extension MovieSettings {
    /// The same for each camera's own movie.
    ///
    /// - Parameter codec: where that is to be another one, it has no use for what was chosen of the composed movie's encoder.
    func separate(_ codec: VideoCodec?) -> MovieSettings {
        guard let codec, codec != videoCodec else { return self }
        let usual = MovieSettings()
        var settings = self
        (settings.videoCodec, settings.profile, settings.bitDepth) = (codec, nil, usual.bitDepth)
        (settings.rateControl, settings.encoderSpeed) = (usual.rateControl, nil)
        return settings
    }

    /// - Parameter codec: as it was named, if it was.
    /// - Throws: ``RushesError`` that names the option that a camera's own movie goes by.
    func checkSeparate(
        _ orientation: MovieOrientation, _ codec: VideoCodec?, in container: Container, hasAudio: Bool
    ) throws(RushesError) {
        var settings = self
        settings.orientation = orientation
        do { try settings.check(container: container, hasVideo: true, hasAudio: hasAudio) } catch {
            guard codec != nil else { throw error }
            var own = error
            own.description.replace("\(Term.videoCodec) ", with: "\(Term.eachCameraCodec) ")
            throw own
        }
    }
}

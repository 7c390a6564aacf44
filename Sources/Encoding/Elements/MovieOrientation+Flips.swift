package import GStreamer
package import MediaTypes

extension MovieOrientation {
    /// What turns frames so that they are upright as they are.
    package var flips: [PipelineDescription.Node] {
        let direction: PropertyValue? =
            switch rotation {
            case .none: nil
            case .quarter: "90r"
            case .half: "180"
            case .threeQuarters: "90l"
            }
        // The flip comes first, as in the file; GStreamer's methods of both in one are named after the diagonal.
        return (isMirrored ? [.make("videoflip", ["video-direction": "horiz"])] : [])
            + (direction.map { [.make("videoflip", ["video-direction": $0])] } ?? [])
    }
}

import Encoding
import GStreamer
import MediaTypes
import MovieFiles

/// What becomes of an image for each eye in one frame, and of frames that lie around the viewer.
extension ExportPlanner {
    /// What the output says of how its frames are looked at; notes say what it does not.
    ///
    /// - Parameter filters: what is done to the frames; nil: they are copied.
    func view(_ filters: VideoFilters?, _ opened: OpenedTrack) -> Noted<ImmersiveView> {
        var notes = PlanNotes(properties.frames?.omissions ?? [])
        let told = properties.frames?.view ?? ImmersiveView()
        if told.stereo == nil, let layout = opened.caps.first?.stereoLayout {
            notes.add("The frames have an image for each eye (\(layout)), which the movie does not say.")
        }
        let change = properties.keepsFrames ? filters?.change ?? .none : .moved
        let stereo = told.stereo.flatMap { notes.take(self.stereo($0, change)) }
        let spherical = told.spherical.flatMap { notes.take(self.spherical($0, change)) }
        return Noted(ImmersiveView(stereo: stereo, spherical: spherical), notes)
    }

    private func stereo(_ layout: StereoLayout, _ change: VideoFilters.Change) -> Noted<StereoLayout?> {
        let container = target.container
        guard change < (layout.isInterleaved ? .scaled : .moved) else {
            return .omitted(
                "The frames have an image for each eye (\(layout.displayName)), which the movie does not say.")
        }
        if container.isMovieFile ? layout.hasBox : container != .webm || layout.isInWebM { return Noted(layout) }
        return .omitted(layout.omission(in: container.displayName))
    }

    private func spherical(
        _ spherical: SphericalVideo, _ change: VideoFilters.Change
    ) -> Noted<SphericalVideo?> {
        guard change == .none || change == .scaled && spherical.survivesScaling else {
            return .omitted(
                SphericalVideo.omission("which is not true of what is made of them here and so not said"))
        }
        guard target.container.isMovieFile || Self.longestProjection.contains(spherical.projection?.count ?? 0) else {
            return .omitted(SphericalVideo.omission(in: target.container.displayName))
        }
        return Noted(spherical)
    }

    /// In bytes: as much as ``MatroskaTrackAttributes`` makes space for. Meshes may be longer.
    private static let longestProjection = 1...8000

    /// What a muxer is told of copied frames, where it would take the shape of all images together for that of one eye's.
    func shapeOfAll(_ caps: Caps) -> Caps {
        guard properties.frames?.view.stereo != nil else { return caps }
        let shape = properties.frames?.pixelAspect ?? caps.first?["pixel-aspect-ratio"]?.fractionValue ?? Fraction(1)
        return caps.withoutStereo.setting("pixel-aspect-ratio", to: .fraction(shape))
    }
}

extension Caps {
    /// The same without what they say of an image for each eye.
    var withoutStereo: Caps { setting("multiview-mode", to: nil).setting("multiview-flags", to: nil) }
}

extension Structure {
    /// How caps of GStreamer name where the images of both eyes lie; nil where there is one.
    var stereoLayout: String? {
        self["multiview-mode"]?.stringValue.flatMap { $0 == "mono" ? nil : $0 }
    }
}

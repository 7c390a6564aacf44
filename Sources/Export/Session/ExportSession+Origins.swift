public import Errors
package import LiveActivity
public import SystemPackage

/// What a session's movie is made of: another movie, a timelapse, or several movies in one frame.
extension ExportSession {
    /// - Parameters:
    ///   - thumbnail: where a small JPEG of the frame that is just being exported is written every few seconds.
    ///   - isActivity: whether the export is an ``Activity``; not where it is a part of something that is one.
    public init(
        input: FilePath, settings: ExportSettings = ExportSettings(), thumbnail: FilePath? = nil,
        isActivity: Bool = true
    ) {
        self.init(input: input, settings: settings, thumbnail: thumbnail, center: isActivity ? .shared : nil)
    }

    /// - Parameter onActivity: is given the activity when it starts; called from any thread.
    package init(
        input: FilePath, settings: ExportSettings, thumbnail: FilePath? = nil, center: ActivityCenter?,
        onActivity: @escaping @Sendable (Activity) -> Void = { _ in }
    ) {
        self.init(
            MovieOrigin(path: input), settings: settings, thumbnail: thumbnail, center: center, onActivity: onActivity)
    }

    /// A timelapse, whose frames are encoded in any case. Photos are listed now, which blocks.
    ///
    /// - Parameters:
    ///   - settings: their size is the movie's; rate, part and loudness are no timelapse's.
    ///   - thumbnail: as of an input.
    ///   - isActivity: as of an input.
    /// - Throws: ``RushesError`` where there is no photo.
    public init(
        timelapse: Timelapse, settings: ExportSettings = ExportSettings(), thumbnail: FilePath? = nil,
        isActivity: Bool = true
    ) throws(RushesError) {
        try self.init(timelapse, settings: settings, thumbnail: thumbnail, center: isActivity ? .shared : nil)
    }

    /// - Parameter onActivity: is given the activity when it starts; called from any thread.
    package init(
        _ timelapse: Timelapse, settings: ExportSettings, thumbnail: FilePath? = nil, center: ActivityCenter?,
        onActivity: @escaping @Sendable (Activity) -> Void = { _ in }
    ) throws(RushesError) {
        var (timelapse, settings) = (timelapse, settings.ofTimelapse(keepsAudio: timelapse.keepsAudio))
        let origin: any ExportOrigin
        switch timelapse.source {
        case .video: origin = TimelapseOrigin(timelapse: timelapse)
        case .photos:
            guard !timelapse.keepsAudio else {
                throw RushesError(.invalidSettings, "Photos have no audio; leave the \(Term.timelapseAudio) out.")
            }
            // They are decoded for it.
            (timelapse.size, settings.size) = (settings.size, nil)
            origin = try PhotoOrigin(timelapse)
        }
        self.init(origin, settings: settings, thumbnail: thumbnail, center: center, onActivity: onActivity)
    }

    /// Several movies in one frame, which are encoded in any case.
    ///
    /// - Parameters:
    ///   - thumbnail: as of an input.
    ///   - isActivity: as of an input.
    public init(
        composing composition: MovieComposition, settings: ExportSettings = ExportSettings(),
        thumbnail: FilePath? = nil, isActivity: Bool = true
    ) {
        self.init(composition, settings: settings, thumbnail: thumbnail, center: isActivity ? .shared : nil)
    }

    /// Several movies in one frame, which are encoded in any case.
    ///
    /// - Parameter onActivity: is given the activity when it starts; called from any thread.
    package init(
        _ composition: MovieComposition, settings: ExportSettings, thumbnail: FilePath? = nil, center: ActivityCenter?,
        onActivity: @escaping @Sendable (Activity) -> Void = { _ in }
    ) {
        self.init(
            CompositionOrigin(composition: composition), settings: settings, thumbnail: thumbnail, center: center,
            onActivity: onActivity)
    }

    /// Movies one behind the other, which are encoded in any case.
    ///
    /// - Parameter onActivity: is given the activity when it starts; called from any thread.
    package init(
        joining inputs: [FilePath], settings: ExportSettings, thumbnail: FilePath? = nil, center: ActivityCenter?,
        onActivity: @escaping @Sendable (Activity) -> Void = { _ in }
    ) {
        self.init(
            JoinOrigin(inputs: inputs), settings: settings, thumbnail: thumbnail, center: center,
            onActivity: onActivity)
    }
}

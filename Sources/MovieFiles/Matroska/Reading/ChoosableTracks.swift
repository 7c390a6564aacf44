package import SystemPackage

/// The tracks of a file that people choose among, as its index names them.
package struct ChoosableTracks: Sendable {
    package struct Track: Sendable {
        package var attributes: TrackAttributes
        /// What GStreamer's demuxers end the stream's identifier with.
        package var suffix: String
    }

    /// In the file's order; those without samples are not there.
    package private(set) var audio: [Track] = []
    package private(set) var subtitles: [Track] = []

    /// Reads the index of QuickTime, MP4, Matroska or WebM.
    ///
    /// - Parameter subtitlesOnly: whether the tracks of Matroska beside its subtitles do not matter: they may be what nothing here copies.
    /// - Throws: `notAMovie`, `invalidBox`, `unsupported`, or `system` where the file cannot be read.
    package init(of path: FilePath, subtitlesOnly: Bool = false) throws(MovieFileError) {
        let isMatroska = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            guard try MatroskaSegment.isMatroska(file) else { return false }
            for track in try MatroskaSegment(file, for: subtitlesOnly ? .subtitles : .copying).filled {
                add(Track(attributes: TrackAttributes(track), suffix: track.streamSuffix), track.choosableKind)
            }
            return true
        }
        guard !isMatroska else { return }
        for track in try ListedTrack.all(in: path) where track.sampleCount > 0 && !track.isChapters {
            add(
                Track(attributes: track.attributes, suffix: "/\(UInt64(track.trackID).padded)"),
                TrackPlaces.Kind(handler: FourCC(track.handler)))
        }
    }

    private mutating func add(_ track: Track, _ kind: TrackPlaces.Kind?) {
        switch kind {
        case .audio: audio.append(track)
        case .subtitle: subtitles.append(track)
        case nil: break
        }
    }
}

extension UInt64 {
    /// In three digits or more.
    fileprivate var padded: String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, 3 - digits.count)) + digits
    }
}

extension MatroskaSegment {
    /// Those that have frames.
    fileprivate var filled: [TrackEntry] { tracks.filter { frames[$0.number]?.count ?? 0 > 0 } }

    /// The tracks, of audio and subtitles only those that are wanted.
    func tracks(_ places: TrackPlaces) -> [TrackEntry] {
        places.chosen(of: places.areChosen ? filled : tracks) {
            $0.choosableKind
        } marking: {
            $0.isDefault = $1
        }
    }
}

extension TrackEntry {
    /// What GStreamer's demuxer ends the stream's identifier with.
    var streamSuffix: String { "/\(number.padded):\((uid ?? 0).padded)" }

    fileprivate var choosableKind: TrackPlaces.Kind? {
        switch kind {
        case .audio: .audio
        case .subtitle: .subtitle
        case .video, nil: nil
        }
    }
}

extension TrackAttributes {
    init(_ track: TrackEntry) {
        self.init()
        (language, title, isDefault, roles) = (track.language, track.name, track.isDefault, track.roles)
    }
}

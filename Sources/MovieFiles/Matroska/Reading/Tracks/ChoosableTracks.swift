package import SystemPackage

/// The tracks of a file that people choose among, as its index names them.
package struct ChoosableTracks: Sendable {
    package struct Track: Sendable {
        package var attributes: TrackAttributes
        /// What GStreamer's demuxers end the stream's identifier with.
        package var suffix: String
        /// Of subtitles.
        package var content = Content.text
    }

    /// What subtitles are made of.
    package enum Content: Sendable, Hashable {
        case text
        /// By the name of their kind.
        case images(String)
        /// What nothing here reads; the file's name for it.
        case unknown(String)
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
                add(
                    Track(
                        attributes: TrackAttributes(track), suffix: track.streamSuffix,
                        content: Content(matroska: track.codecID)),
                    track.choosableKind)
            }
            return true
        }
        guard !isMatroska else { return }
        for track in try ListedTrack.all(in: path) where track.sampleCount > 0 && !track.isChapters {
            add(
                Track(
                    attributes: track.attributes, suffix: "/\(UInt64(track.trackID).padded)",
                    content: Content(handler: track.handler, format: track.format)),
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

extension ChoosableTracks.Content {
    fileprivate init(matroska codecID: String) {
        switch codecID {
        case "S_HDMV/PGS": self = .images("PGS")
        case "S_VOBSUB": self = .images("VobSub")
        case "S_DVBSUB": self = .images("DVB")
        default: self = SubtitleText.Form(codecID: codecID) == nil ? .unknown(codecID) : .text
        }
    }

    fileprivate init(handler: String, format: String?) {
        switch (handler, format) {
        case ("text", "tx3g"?), ("sbtl", "tx3g"?), ("text", "text"?), ("sbtl", "text"?), (_, "wvtt"?): self = .text
        case ("subp", _), (_, "mp4s"?): self = .images("VobSub")
        default: self = .unknown(format ?? handler)
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
        let all = places.areChosen ? filled : tracks
        return places.chosen(of: places.takesOthers ? all : all.filter { $0.choosableKind != nil }) {
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

import Encoding
import Errors
import Foundation
import MovieFiles
import SystemPackage

/// The tracks that the settings ask for, as the input has them.
struct ChosenTracks: Sendable {
    /// For those who copy by the index, and for subtitles; the audio's are unknown where only a demuxer names them.
    private(set) var places = TrackPlaces()
    /// What the identifiers of the wanted audio end with; nil: only a demuxer names the audio, or all of it is wanted.
    private var suffixes: [String]?
    /// What is still to be looked for once the input is open.
    private var pending: TrackSelection?

    /// All of them.
    init() {}

    /// Looks for the tracks in the input's index. Blocks.
    ///
    /// - Throws: ``RushesError`` that says what there is, where something is not.
    init(
        _ settings: ExportSettings, _ file: InputFile?, _ properties: InputProperties, of name: String
    ) throws(RushesError) {
        let audio = settings.audio == .codec(.none) ? .none : settings.audioTracks ?? .all
        let subtitles = settings.subtitleTracks ?? .all
        guard audio != .all || subtitles != .all, let file else { return }
        let listed = properties.hasOwnSubtitles ? try? ChoosableTracks(of: FilePath(file.location)) : nil
        if let listed {
            places.audio = try audio.places(among: listed.audio.map(\.attributes), "audio", of: name)
            suffixes = places.audio?.map { listed.audio[$0].suffix }
        } else if audio == .none {
            (places.audio, suffixes) = ([], [])
        } else {
            pending = audio == .all ? nil : audio
        }
        // Those of other containers are carried by nobody.
        places.subtitles = try subtitles.places(
            among: listed?.subtitles.map(\.attributes) ?? [], "subtitle", of: name)
    }

    /// Whether a stream of audio is wanted, as far as that is known before it is open.
    func takes(_ stream: SourceStream) -> Bool {
        guard let suffixes else { return true }
        guard let identifier = stream.identifier else { return places.audio?.contains(stream.index) ?? true }
        return suffixes.contains { identifier.hasSuffix($0) }
    }

    /// The tracks that were opened, of audio only the wanted ones, in the order in which they are.
    ///
    /// - Throws: ``RushesError`` that says what there is, where something is not.
    func chosen(of tracks: [OpenedTrack], in name: String) throws(RushesError) -> [OpenedTrack] {
        let others = tracks.filter { $0.track.stream.kind != .audio }
        let audio = tracks.audio
        if let pending {
            var attributes = [TrackAttributes](
                repeating: TrackAttributes(), count: (audio.map(\.track.stream.index).max() ?? -1) + 1)
            for track in audio {
                attributes[track.track.stream.index].language = track.track.language.flatMap { TrackLanguage($0) }
                attributes[track.track.stream.index].title = track.track.title
            }
            let places = try pending.places(among: attributes, "audio", of: name) ?? []
            return others + places.compactMap { place in audio.first { $0.track.stream.index == place } }
        }
        guard let suffixes else { return tracks }
        func place(_ track: OpenedTrack) -> Int {
            suffixes.firstIndex { track.track.stream.identifier?.hasSuffix($0) ?? false } ?? track.track.stream.index
        }
        return others + audio.sorted { place($0) < place($1) }
    }

    /// Leaves a subtitle track out that is drawn into the frames, unless somebody asked for it.
    ///
    /// - Parameter count: of the input's subtitle tracks.
    mutating func leaveOut(subtitle place: Int, of count: Int) {
        if places.subtitles == nil { places.subtitles = (0..<count).filter { $0 != place } }
    }

    /// The subtitle tracks that are meant, of which there is one.
    ///
    /// - Throws: ``RushesError`` that says what there is, where it is not.
    static func subtitles(
        _ choice: TrackSelection.Choice, among tracks: [TrackAttributes], of name: String
    ) throws(RushesError) -> [Int] {
        try TrackSelection.chosen([choice]).places(among: tracks, "subtitle", of: name) ?? []
    }

    /// Whether somebody chose which audio comes first.
    var ordersAudio: Bool { pending != nil || places.audio != nil }
}

extension TrackSelection {
    /// Where those that are meant stand, each once; nil: all, as they are.
    ///
    /// - Throws: ``RushesError`` that says what there is, where something is not.
    fileprivate func places(
        among tracks: [TrackAttributes], _ kind: String, of name: String
    ) throws(RushesError) -> [Int]? {
        switch self {
        case .all: return nil
        case .none: return []
        case .chosen(let choices):
            var places: [Int] = []
            for choice in choices {
                let found = choice.places(among: tracks)
                guard !found.isEmpty else {
                    throw RushesError(
                        .invalidSettings,
                        "There is no \(choice.words(kind)): \(name) has \(Self.summary(of: tracks, kind)).")
                }
                for place in found where !places.contains(place) { places.append(place) }
            }
            return places
        }
    }

    /// Such as "2 audio tracks: 1 English, 2 German".
    private static func summary(of tracks: [TrackAttributes], _ kind: String) -> String {
        guard !tracks.isEmpty else { return kind == "audio" ? "no audio" : "no subtitles that can be kept" }
        let all = tracks.enumerated().map { index, track in
            let title = track.title.map { " “\($0)”" } ?? ""
            return "\(index + 1) \(track.language?.displayName ?? "without a language")\(title)"
        }
        return "\(tracks.count) \(kind) track\(tracks.count == 1 ? "" : "s"): \(all.joined(separator: ", "))"
    }
}

extension TrackSelection.Choice {
    /// For people.
    fileprivate func words(_ kind: String) -> String {
        switch self {
        case .number(let number): "\(kind) track \(number)"
        case .language(let name): "\(TrackLanguage(name)?.displayName ?? name) \(kind) track"
        }
    }
}

extension TrackLanguage {
    /// In English, such as "Portuguese (Brazil)".
    var displayName: String { Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag }
}

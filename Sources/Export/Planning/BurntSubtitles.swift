import Errors
import Foundation
import MovieFiles
import Subtitles
import SystemPackage

/// The subtitles that are drawn into the frames, read.
struct BurntSubtitles: Sendable {
    let stream: SubtitleStream
    /// Where they stand among the input's own, from 0; nil for those of another file.
    private(set) var place: Int?
    /// How many tracks of subtitles the input has.
    private(set) var trackCount = 0

    /// Blocks.
    ///
    /// - Throws: ``RushesError`` that says what there is, where there are no such subtitles, and for what cannot be drawn, also for want of
    ///   a library.
    init(
        _ choice: SubtitleChoice, _ file: InputFile?, _ properties: InputProperties, of name: String
    ) throws(RushesError) {
        try self.init(reading: choice, file, properties, of: name)
        try SubtitleLibraries.load(for: stream.codec)
    }

    private init(
        reading choice: SubtitleChoice, _ file: InputFile?, _ properties: InputProperties, of name: String
    ) throws(RushesError) {
        guard case .track(let track) = choice else {
            guard let path = choice.file else { throw RushesError(.badInput, "The subtitles' path cannot be read.") }
            stream = try SubtitleStream(file: path)
            return
        }
        guard properties.hasOwnSubtitles, let file else {
            throw RushesError(
                .invalidSettings,
                "Subtitles in \(name) cannot be drawn: they are read from MKV, MP4 and MOV only; name an .srt file with "
                    + "\(Term.burntSubtitles).")
        }
        let path = FilePath(file.location)
        do {
            let tracks = try ChoosableTracks(of: path, subtitlesOnly: true).subtitles
            let place = try ChosenTracks.subtitles(track, among: tracks.map(\.attributes), of: name)[0]
            stream = try MovieSubtitles(of: path, tracks: TrackPlaces(subtitles: [place])).stream()
            (self.place, trackCount) = (place, tracks.count)
        } catch let error as MovieFileError {
            throw RushesError(.invalidSettings, "The subtitles cannot be drawn: \(error)")
        } catch let error as RushesError {
            throw error
        } catch {
            throw RushesError(.badInput, "The subtitles cannot be read: \(error)")
        }
    }
}

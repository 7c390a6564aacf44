import Encoding
import Errors
import Foundation
import GStreamer
import MediaFilters

/// What libavfilter does to frames and audio between their decoders and their encoders, as the settings have it.
struct FilterChoice: Sendable {
    /// As ffmpeg's `-vf` and `-af` write them; nil: nothing is done. That of the audio makes it as fast as the output is to be, too.
    let video, audio: String?

    init() { (video, audio) = (nil, nil) }

    /// Reads both. Blocks.
    ///
    /// - Throws: ``RushesError`` for a text that libavfilter refuses, and where that is missing.
    init(_ settings: ExportSettings) throws(RushesError) {
        let audio = [settings.audioFilter, settings.speed.flatMap(Self.tempo)].compactMap(\.self)
        (video, self.audio) = (settings.videoFilter, audio.isEmpty ? nil : audio.joined(separator: ","))
        for (text, option) in [(video, Term.videoFilter), (self.audio, .audioFilter)] {
            guard let text else { continue }
            do throws(FilterFailure) {
                let library = try Self.library
                try option == .videoFilter ? VideoFilter.check(text, library) : AudioFilter.check(text, library)
            } catch {
                throw RushesError(refused: text, option, error)
            }
        }
    }

    /// What changes the speed of audio and keeps its pitch; nil at that of the input.
    ///
    /// At more than 2 `atempo` leaves samples out.
    private static func tempo(_ speed: Double) -> String? {
        guard speed != 1 else { return nil }
        let count = max(1, abs(log2(speed)).rounded(.up))
        return Array(repeating: "atempo=\(pow(speed, 1 / count))", count: Int(count)).joined(separator: ",")
    }

    static var library: FilterLibrary {
        get throws(FilterFailure) {
            guard let library = FilterLibrary.shared else {
                throw FilterFailure("it is not installed; install the package \(FilterLibrary.package)")
            }
            return library
        }
    }
}

extension FilterFailure {
    /// Does something with frames or audio that have come.
    ///
    /// - Throws: ``RushesError`` in the place of what it throws.
    static func explaining<Result>(_ option: Term, _ body: () throws -> Result) throws(RushesError) -> Result {
        do { return try body() } catch {
            throw RushesError(.encoderFailed, "The \(option) fails: \(FilterFailure(error).words).")
        }
    }

    init(_ error: any Error) {
        self = error as? FilterFailure ?? FilterFailure((error as? GStreamerError)?.message ?? "\(error)")
    }
}

extension RushesError {
    /// Filters that cannot be, or cannot do anything with what comes.
    init(refused text: String, _ option: Term, _ failure: FilterFailure) {
        self.init(.invalidSettings, "\(option) “\(text)” is refused by libavfilter: \(failure.words).")
    }
}

extension [OpenedTrack] {
    /// The same, as they are behind the filters. Blocks.
    ///
    /// - Throws: ``RushesError`` where filters refuse them.
    func filtered(by filters: FilterChoice) throws(RushesError) -> [OpenedTrack] {
        var tracks = self
        for (index, track) in tracks.enumerated() where !track.track.isCopied {
            switch track.track.stream.kind {
            case .video:
                if let text = filters.video {
                    tracks[index].filtered = try FrameFilter(text, track.given, of: track.first.buffer).caps
                }
            case .audio:
                if let text = filters.audio { tracks[index].filtered = try SoundFilter(text, track.given).caps }
            case .text: break
            }
        }
        return tracks
    }
}

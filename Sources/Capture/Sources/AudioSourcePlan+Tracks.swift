package import Encoding
import GStreamer
import MovieFiles

extension AudioSourcePlan {
    /// The audio tracks of a movie of these microphones: one of each, which tells its name where there are several, or one of all.
    ///
    /// - Throws: ``GStreamerError`` if so many channels cannot be described.
    package static func tracks(
        of microphones: [AudioSourcePlan], isMixed: Bool
    ) throws -> [MoviePlanner.Audio] {
        if isMixed {
            let channels = microphones.map(\.channels).max() ?? 1
            let caps = try conversion(channels: channels).caps
            return [.init(caps: caps, channels: channels, rate: sampleRate)]
        }
        let names = distinctNames(of: microphones)
        return microphones.enumerated().map { index, microphone in
            var track = MoviePlanner.Audio(
                caps: microphone.outputFormat, channels: microphone.channels, rate: sampleRate)
            guard microphones.count > 1 else { return track }
            (track.attributes.title, track.attributes.isDefault) = (names[index], index == 0)
            return track
        }
    }

    /// What each is called beside the others: two of the same make have the same name, and the second one's has a number.
    package static func distinctNames(of microphones: [AudioSourcePlan]) -> [String] {
        var counts: [String: Int] = [:]
        return microphones.map { microphone in
            counts[microphone.name, default: 0] += 1
            let count = counts[microphone.name] ?? 1
            return count == 1 ? microphone.name : "\(microphone.name) \(count)"
        }
    }
}

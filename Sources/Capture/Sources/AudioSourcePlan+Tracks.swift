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
        var names: [String: Int] = [:]
        return microphones.enumerated().map { index, microphone in
            names[microphone.name, default: 0] += 1
            let count = names[microphone.name] ?? 1
            var track = MoviePlanner.Audio(caps: microphone.delivers, channels: microphone.channels, rate: sampleRate)
            guard microphones.count > 1 else { return track }
            (track.attributes.title, track.attributes.isDefault) = (
                // Two of the same make have the same name.
                count == 1 ? microphone.name : "\(microphone.name) \(count)", index == 0
            )
            return track
        }
    }
}

import Encoding
import MovieFiles

/// What the tracks of an export are for, as far as its container has words for it.
extension Container {
    private var roles: TrackRoles {
        switch self {
        case .mkv, .mka: .matroska
        case .webm: .webM
        case .mov, .mp4, .m4a: .movie
        case .wav, .flac, .mp3, .opus, .ogg, .gif: []
        }
    }

    /// Takes away what has no place in it.
    ///
    /// - Returns: what is said of that.
    func keepRoles(_ frame: inout PlannedVideo?, _ audio: inout [PlannedAudio]) -> [String] {
        var notes = [
            frame.flatMap { $0.track.attributes.roles.subtracting(roles).omission(of: "the video", in: displayName) }
        ]
        frame?.track.attributes.roles.formIntersection(roles)
        for index in audio.indices {
            let told = audio[index].track.attributes.roles
            let name = audio.count > 1 ? "audio track \(index + 1)" : "the audio"
            notes.append(told.subtracting(roles).omission(of: name, in: displayName))
            audio[index].track.attributes.roles = told.intersection(roles)
        }
        return notes.compactMap(\.self)
    }
}

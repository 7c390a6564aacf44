import GStreamer
import Threads

/// Where the packets of a movie's encoders go: to its files, by way of its history where it keeps one, and to the writers that share its audio.
struct PacketRoute: Sendable {
    let history: PacketHistory?
    /// `nil` where nothing is written.
    let sequence: MovieSequence?
    /// Fires at the end where nothing is kept.
    let discarded: AsyncSignal
    let sharedAudio: SharedAudio
    /// The number of the first audio track.
    let firstAudio: Int

    /// - Returns: false where no more is taken.
    func append(_ packet: Sample, of track: Int) -> Bool {
        if track >= firstAudio { sharedAudio.append(packet, to: track - firstAudio) }
        return history?.append(packet, to: track) ?? sequence?.append(packet, to: track) ?? true
    }

    func end(_ track: Int) {
        if track >= firstAudio { sharedAudio.end(track - firstAudio) }
        if let history {
            history.end(track)
        } else if let sequence {
            sequence.end(track)
        } else {
            discarded.fire()
        }
    }
}

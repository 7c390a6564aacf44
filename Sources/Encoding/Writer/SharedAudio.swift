import GStreamer
import Threads

/// Gives the packets of one writer's audio encoders to the files of others too, so that audio is encoded once and is the same,
/// packet by packet, in all.
final class SharedAudio: Sendable {
    private struct Receiver {
        let sequence: MovieSequence
        /// The number of its first audio track.
        let first: Int
    }
    private let receivers = Locked<[Receiver]>([])
    private let ended = Locked<Set<Int>>([])

    /// Before the first packet.
    func add(_ sequence: MovieSequence, firstTrack first: Int) {
        receivers.withLock { $0.append(Receiver(sequence: sequence, first: first)) }
    }

    /// A file gets nothing any more.
    func remove(_ sequence: MovieSequence) {
        receivers.withLock { $0.removeAll { $0.sequence === sequence } }
    }

    /// Takes a packet of an audio track, on its encoder's thread. A file that takes no more is no fault of the others.
    func append(_ packet: Sample, to audio: Int) {
        for receiver in receivers.withLock({ $0 }) { _ = receiver.sequence.append(packet, to: receiver.first + audio) }
    }

    /// No packet follows in an audio track. Once is enough, more does nothing.
    func end(_ audio: Int) {
        guard ended.withLock({ $0.insert(audio).inserted }) else { return }
        for receiver in receivers.withLock({ $0 }) { receiver.sequence.end(receiver.first + audio) }
    }
}

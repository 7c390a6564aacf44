import CaptureAudio
import Errors
public import GStreamer
import Threads

/// Hands a session's audio to your program while it is recorded or not: as it is recorded, with gain, mute and the correction of the
/// microphone's clock. AVFoundation's `AVCaptureAudioDataOutput`.
public final class AudioSampleOutput: Sendable {
    private let attached = Locked<(own: OwnSession, audio: SessionAudio?, key: Int)>((OwnSession(), nil, 0))
    private let streams = SampleStreams<AudioSamples>(keeping: 100)

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    public init() {}

    deinit { detach() }

    /// The samples from now on, or from when the output is added to a session; about ten milliseconds at a time. A reader that is more
    /// than about a second behind loses the oldest; a recording is never held up. Ends with the reader, or when the output is removed.
    public var samples: AsyncStream<AudioSamples> { streams.stream }

    func attach(to session: CaptureSession) throws(RushesError) {
        try attached.withLock { attached throws(RushesError) in
            guard try attached.own.set(session) else { return }
            attached.audio = session.audio
            attached.key = session.audio.listen { [streams] in streams.send(AudioSamples($0)) }
        }
    }

    func detach() {
        attached.withLock { attached in
            attached.audio?.unlisten(attached.key)
            attached = (OwnSession(), nil, 0)
        }
        streams.finish()
    }
}

/// Some of a microphone's samples, one after another without a gap but where audio is missing.
public struct AudioSamples: Sendable {
    /// When the first was taken, in the session's running time.
    public let time: MediaTime
    /// Interleaved: one of each channel, and so on. Full scale is 1.
    public let values: [Float]
    /// How many channels there are.
    public let channels: Int
    /// Samples a second, of each channel.
    public let rate: Int

    init(_ chunk: AudioChunk) {
        (values, channels, rate) = (chunk.samples, chunk.channels, chunk.rate)
        time = chunk.rowStart + MediaTime(seconds: Double(chunk.position) / Double(chunk.rate))
    }
}

extension AudioSampleOutput: CaptureOutput, AttachableOutput {}

import Errors
public import GStreamer
import Threads

/// Hands a session's audio to your program while it is recorded or not: as it is recorded, with gain, mute and the correction of the
/// microphone's clock. AVFoundation's `AVCaptureAudioDataOutput`.
public final class AudioSampleOutput: Sendable {
    private let source = Locked<CaptureSession?>(nil)

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    public init() {}

    /// The samples from now on, about ten milliseconds at a time. A reader that is more than about a second behind loses the oldest; a recording is
    /// never held up.
    public var samples: AsyncStream<AudioSamples> {
        let (samples, continuation) = AsyncStream.makeStream(
            of: AudioSamples.self, bufferingPolicy: .bufferingNewest(Self.waiting))
        guard let session = source.withLock({ $0 }) else {
            continuation.finish()
            return samples
        }
        let key = session.audio.listen { continuation.yield(AudioSamples($0)) }
        continuation.onTermination = { _ in session.audio.unlisten(key) }
        return samples
    }

    private static let waiting = 100

    func attach(to session: CaptureSession) throws(RushesError) {
        try source.withLock { own throws(RushesError) in
            guard own == nil || own === session else { throw RushesError.otherSession }
            own = session
        }
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

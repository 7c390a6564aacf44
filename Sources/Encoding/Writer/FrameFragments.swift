import GStreamer
import MediaTypes
import Threads

/// Hands encoded frames to their file past the muxer, each as soon as it comes.
///
/// GStreamer's muxer for QuickTime and MP4 (1.22) holds two frames: one until it knows the next, whose time ends the first, and one
/// until that has ended a fragment. Of frames a minute apart that is two minutes which a kill would cost. So it gets the first
/// frame only, to write the head of the movie, and ``MovieFileWriter`` writes the fragments.
final class FrameFragments: Sendable {
    /// To be fired when the muxer has written its last byte.
    let headEnd = AsyncSignal()
    private let hasHead = Locked(false)
    private let frameDuration: MediaTime

    /// For the muxer to write a head; it is at once.
    private static let timeout = Duration.seconds(10)

    init(_ plan: MoviePlan) {
        let rate = plan.video?.caps.first?["framerate"]?.fractionValue ?? Fraction(30)
        frameDuration = MediaTime(samples: 1, of: rate.numerator > 0 ? rate : Fraction(30))
    }

    /// Takes a frame on the encoder's thread. False if the file takes no more.
    ///
    /// - Parameters:
    ///   - begin: the recording's time at which the file begins.
    ///   - input: of the muxer.
    func append(_ packet: Sample, to file: any MovieOutputFile, beginningAt begin: MediaTime, input: () -> AppSource)
        -> Bool
    {
        guard let file = file as? WrittenOutputFile, let frame = packet.buffer, let time = packet.runningTime else {
            return true
        }
        if !hasHead.withLock({ $0 }) {
            let input = input()
            guard input.push(packet) else { return false }
            input.endOfStream()
            guard wait() else { return false }
            hasHead.withLock { $0 = true }
        }
        return file.append(frame: frame, at: time - begin, duration: frameDuration)
    }

    /// Blocks the encoder's thread, which has nothing else to do yet. False where the head is late: frames that came before it would lie where
    /// it has to be.
    private func wait() -> Bool {
        headEnd.waitOnThread(within: Self.timeout)
    }
}

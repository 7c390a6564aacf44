import Errors
import GStreamer
import LiveActivity

/// Which bit rate the frames get so that the whole file has a stated size.
///
/// The first file is made at the rate that the size leaves; encoders miss that by some per cent on short or uneven material,
/// so the next is made at the rate that its error tells.
struct SizeTarget: Sendable {
    /// Bytes.
    let size: Int64
    let duration: MediaTime
    /// What all audio tracks take, in bits a second.
    var audio = 0
    /// What an index and the container around the samples take, about, in bytes.
    var container: Int64 = 0

    /// How much less than the rest is asked for: encoders miss to both sides.
    private static let caution = 0.01
    /// A file may be this much smaller than wanted before it is made anew; larger it may not be.
    private static let slack = 0.03
    /// Bits a second below which no frame is left.
    private static let least = 20_000

    /// Bits a second above which nobody may ask for a rate.
    static let most = 2_000_000_000
    /// Bits a second above which the encoder takes no rate; a file that has room for more stays smaller than it may be.
    var limit = Self.most

    /// - Throws: ``RushesError`` where the audio and what is around it fill the file.
    func firstRate() throws(RushesError) -> Int {
        let frames = wanted - Double(container) - Double(audio) / 8 * duration.seconds
        let rate = whole(frames * 8 / max(0.1, duration.seconds))
        guard rate >= Self.least else {
            throw RushesError(
                .invalidSettings,
                "\(Quantities.bytes(size)) leaves \(max(0, rate / 1000)) kbit/s for the video"
                    + (audio > 0 ? ", as the audio takes \(audio / 1000) kbit/s" : "")
                    + "; choose a \(Term.targetSize) of \(leastSize) bytes or more.")
        }
        return rate
    }

    /// The rate of the next file; `nil` where the last one is what was wanted.
    ///
    /// - Parameters:
    ///   - written: the last one's size in bytes.
    ///   - frames: what of that are the frames.
    ///   - isLast: whether it has to be below the size rather than near it.
    func nextRate(after rate: Int, gave written: Int64, frames: Int64, isLast: Bool = false) -> Int? {
        let error = Double(written - size) / Double(size)
        guard error > 0 || error < -Self.slack && rate < limit else { return nil }
        // All else stays as it is, and encoders miss by a part of what they are asked for.
        let room = wanted - Double(written - frames)
        let part = max(0, room) / max(1, Double(frames)) * (isLast ? 1 - Self.slack / 2 : 1)
        return max(Self.least, whole(Double(rate) * min(4, part)))
    }

    /// The smallest size that leaves frames something, rounded up to thousands of bytes.
    private var leastSize: Int64 {
        let bytes = Double(container) + Double(audio + Self.least) / 8 * max(0.1, duration.seconds)
        return Int64(min(1e15, (bytes / (1 - Self.caution) / 1000).rounded(.up))) * 1000
    }

    /// A rate in whole bits, whatever number people ask for.
    private func whole(_ rate: Double) -> Int { Int(min(Double(limit), max(0, rate))) }

    private var wanted: Double { Double(size) * (1 - Self.caution) }
}

extension SizeTarget {
    /// Measured: 36 bytes for each frame of a QuickTime or MP4 file and 13 for each packet of audio, in Matroska 8 for both.
    ///
    /// - Parameters:
    ///   - rate: frames a second.
    ///   - soundTracks: of about fifty packets a second each.
    static func container(_ isMovieFile: Bool, rate: Double, audioTracks: Int, lasting duration: MediaTime) -> Int64 {
        let (frame, packet) = isMovieFile ? (36.0, 13.0) : (8, 8)
        let bytes = duration.seconds * (frame * rate + packet * 50 * Double(audioTracks))
        // A damaged index may tell of any number of frames a second.
        return 1500 + (Int64(exactly: bytes.rounded(.down)) ?? 0)
    }
}

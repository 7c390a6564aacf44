import GStreamer
import MediaTypes
import MovieFiles

/// Frames of an input that its decoder left out, as decoders do with damaged frames, without a word.
enum MissingFrameCheck {
    /// A sentence for people; `nil` where nothing is missing, or where nobody can tell.
    ///
    /// Only an index tells how many there are, and only where it hides none of them: an edit that shows less than the track
    /// has is decoded in full and cut. Of interlaced frames each field may be a sample of its own.
    ///
    /// - Parameters:
    ///   - pauses: how long edits show no frame.
    ///   - stream: the encoded frames.
    ///   - written: how many came, of the whole input at its own rate.
    static func note(
        _ movie: MovieInfo?, pauses: MediaTime = .zero, _ stream: Caps, written: Int
    ) -> String? {
        guard let video = movie?.video.first, let rate = video.frameRate, rate > 0 else { return nil }
        // Another rate than the frames' own, where they are counted for all of the time.
        let length = (video.duration - pauses).seconds
        let count = pauses > .zero ? min(video.frameCount, Int((length * rate).rounded())) : video.frameCount
        guard written < count, length >= (Double(count) - 0.5) / rate,
            (stream.first?["interlace-mode"]?.stringValue ?? "progressive") == "progressive"
        else { return nil }
        return note(of: count, written: written)
    }

    /// The same where a file lists each of so many frames, or so many have gone into the decoder.
    static func note(of count: Int, written: Int) -> String? {
        let lost = count - written
        guard lost > 0 else { return nil }
        return
            "\(lost) of the input's \(count) frames \(lost == 1 ? "is" : "are") missing: the decoder gave "
            + "nothing for \(lost == 1 ? "it" : "them"), as decoders do with damaged frames."
    }

    /// What is said of frames that a stream begins with and nothing decodes.
    ///
    /// - Parameter isProgressive: whether each is counted once; of fields each may come by itself.
    static func note(leading count: Int, isProgressive: Bool = true) -> String? {
        guard count > 0 else { return nil }
        guard count > 1 || !isProgressive else {
            return "The frame before the first key frame needs others that the input does not have, and is left out."
        }
        return
            "The \(isProgressive ? "\(count) frames" : "frames") before the first key frame need others that the input does "
            + "not have, and are left out."
    }
}

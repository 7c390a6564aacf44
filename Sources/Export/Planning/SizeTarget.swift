import GStreamer

/// Which bit rate the pictures get so that the whole file has a stated size.
///
/// The first file is made at the rate that the size leaves; encoders miss that by some per cent on short or uneven material,
/// two passes by less, so the next is made at the rate that its error tells.
struct SizeTarget: Sendable {
    /// Bytes.
    let size: Int64
    let duration: Nanoseconds

    /// What an index and the container around the samples take, as a part of the whole.
    private static let overhead = 0.01
    /// A file may be this much smaller than wanted before it is made anew; larger it may not be.
    private static let slack = 0.03
    /// How much less than the rest is asked for where the error is known well.
    private static let steadySlack = 0.01
    /// Bits a second below which no picture is left.
    private static let least = 20_000

    /// - Parameter sound: what all sound tracks take, in bits a second.
    /// - Throws: ``ExportError`` where the sound alone fills the file.
    func firstRate(sound: Int) throws(ExportError) -> Int {
        let whole = Double(size) * 8 * (1 - Self.overhead) / max(0.1, duration.seconds)
        let rate = Int(whole) - sound
        guard rate >= Self.least else {
            throw ExportError(
                .unsuitable,
                "\(size) bytes leave \(max(0, rate / 1000)) kbit/s for the picture; choose a larger --target-size.")
        }
        return rate
    }

    /// The rate of the next file; `nil` where the last one is what was wanted.
    ///
    /// - Parameter isSteady: whether the encoder knows the pictures, so that it errs once more as it did.
    func nextRate(after rate: Int, gave written: Int64, isSteady: Bool = false) -> Int? {
        let error = Double(written - size) / Double(size)
        guard error > 0 || error < -Self.slack else { return nil }
        // All of the error is the pictures': the sound's rate was known.
        let missed = Double(written - size) * 8 / max(0.1, duration.seconds)
        return max(Self.least, Int((Double(rate) - missed) * (1 - (isSteady ? Self.steadySlack : Self.slack))))
    }
}

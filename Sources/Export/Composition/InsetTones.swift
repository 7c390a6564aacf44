import Composition
import GStreamer

/// Brings the light of an inset's frames to the main movie's: HDR becomes SDR where that is SDR.
///
/// The other way there is none here, nor between PQ and HLG; that is told.
struct InsetTones: Sendable {
    /// How an inset's light goes with the main movie's where the two differ.
    struct Light: Sendable, Equatable {
        /// "PQ", "HLG"; `nil` for SDR.
        let (own, main): (String?, String?)
        /// Whether the frames are made to be as the main movie's.
        let isMapped: Bool
    }

    private(set) var light: Light?
    private var grader: FrameGrader
    private var caps: Caps?

    /// - Parameter peak: of PQ, in candela a square metre, where it is known.
    init(peak: Double?) { grader = FrameGrader(toneMappingFrom: peak) }

    /// The frame as it is composed, and what it is then.
    ///
    /// - Parameter caps: of the frame; `nil` where they are those of the one before.
    /// - Throws: ``GStreamerError`` without memory.
    mutating func apply(
        to buffer: Buffer, _ caps: Caps?, main: ComposedFormat?
    ) throws -> (buffer: Buffer, caps: Caps?) {
        self.caps = caps ?? self.caps
        guard let caps = self.caps, let main else { return (buffer, self.caps) }
        let (own, other) = (Colorimetry(caps)?.hdrName, Colorimetry(main.caps)?.hdrName)
        guard own != other else { return (buffer, caps) }
        let isMapped = other == nil && FrameGrader.canMap(caps)
        if light == nil { light = Light(own: own, main: other, isMapped: isMapped) }
        return isMapped ? try grader.apply(to: buffer, caps) : (buffer, caps)
    }
}

extension InsetTones.Light {
    /// For people.
    func words(inset: String, main: String) -> String {
        func name(_ transfer: String?) -> String { transfer.map { "HDR (\($0))" } ?? "SDR" }
        if isMapped { return "\(inset) is \(name(own)), and tone-mapped to SDR as \(main) is." }
        return "\(inset) is \(name(own)) and \(main) \(name(self.main)), so its colors are wrong there; "
            + "compose movies that are both SDR, or both \(self.main ?? own ?? "HDR")."
    }
}

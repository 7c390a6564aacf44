import LiveActivity
import MediaTypes

/// When this process itself stood still, as Ctrl-Z and debuggers make it: then devices are not to blame for what did not come.
struct Standstill: Sendable {
    /// Running time of the look before, and of the one that found the last one over.
    private var (lastLook, end): (MediaTime?, MediaTime?)
    /// Frames of each camera that were lost by then; nil is the only one.
    private var forgiven: [Int?: Int] = [:]

    /// Looks come twice a second; of a machine that is busy some come later.
    private static let shortest = MediaTime.second
    /// Sound servers keep a second or two, and cameras some frames, for who does not fetch them.
    private static let harmless = 2 * MediaTime.second
    /// How long after it frames that are missing come to light.
    private static let aftermath = 3 * MediaTime.second

    /// - Parameter time: running time of this look.
    /// - Returns: how long it stood still since the look before; `nil` where it did not.
    mutating func look(at time: MediaTime) -> MediaTime? {
        defer { lastLook = time }
        guard let lastLook, time - lastLook > Self.shortest else { return nil }
        end = time
        return time - lastLook
    }

    /// What a person is told of it.
    static func words(_ span: MediaTime) -> String? {
        guard span >= harmless else { return nil }
        let time = Quantities.span(span.seconds)
        return "The recorder itself stood still for \(time), as Ctrl-Z makes it: "
            + "what cameras and microphones delivered meanwhile may be missing."
    }

    /// Whether a camera has lost frames that it would have lost without it.
    ///
    /// - Parameter camera: its place among several; nil is the only one.
    mutating func blames(_ camera: Int?, for lost: Int) -> Bool {
        if let end, let lastLook, lastLook - end <= Self.aftermath { forgiven[camera] = lost }
        return lost > forgiven[camera] ?? 0
    }
}

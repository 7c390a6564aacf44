import GStreamer

/// Which of a camera feed's inputs hands its frames on. At a switch the frames of the new one begin behind the last one of the old, so that
/// nothing is missing between them and nothing comes twice, however late either delivers. Pure.
struct FrameHandover: Sendable {
    /// What becomes of a frame.
    enum Answer: Sendable { case pass, drop, takeOver }

    /// The input whose frames are handed on.
    private(set) var current = 0
    /// The one that is to follow it.
    private var next: Int?
    /// Running time of the last frame that was handed on.
    private var last: MediaTime?
    /// Whether the next one has delivered a frame, so that the current one ends where it stands.
    private var isEnding = false

    /// A number for an input, which no other had.
    private var numbers = 0
    mutating func number() -> Int {
        numbers += 1
        return numbers
    }

    /// From now on this one's frames are handed on, and no others.
    mutating func replace(with input: Int) { (current, next, isEnding) = (input, nil, false) }

    /// This one follows, with its first frame that lies behind those that were handed on.
    mutating func prepare(_ input: Int) { (next, isEnding) = (input, false) }

    /// The current one goes on; false if it has been followed already.
    mutating func abandon(_ input: Int) -> Bool {
        guard next == input else { return false }
        (next, isEnding) = (nil, false)
        return true
    }

    /// - Parameter time: the frame's running time.
    mutating func decide(_ time: MediaTime, from input: Int) -> Answer {
        if input == next {
            isEnding = true
            if let last, time <= last { return .drop }
            (current, next, self.last, isEnding) = (input, nil, time, false)
            return .takeOver
        }
        guard input == current, !isEnding else { return .drop }
        last = time
        return .pass
    }
}

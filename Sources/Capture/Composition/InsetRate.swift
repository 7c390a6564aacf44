import Imaging

/// Which frames of insets are taken: all, or one of so many, where the encoders are to be relieved. Pure.
///
/// An inset is shown in less than half of the area of what is shown largest; that keeps its rate, and so do cameras side by side.
struct InsetRate: Sendable {
    /// How many frames of an inset there are to each that is taken.
    var divisor = 1 { didSet { for index in decimators.indices { decimators[index].divisor = divisor } } }
    private(set) var insets: Set<Int> = []
    private var shown: [FeedPlacement] = []
    private var decimators: [FrameDecimator]

    /// What gives fewer frames a second shows each change late as it is.
    static let slowest = 20.0

    /// - Parameter cameras: how many there are, the main one first.
    init(cameras: Int) { decimators = Array(repeating: FrameDecimator(), count: cameras) }

    /// Composed frames show the cameras so from now on.
    mutating func show(_ placements: [FeedPlacement]) {
        guard placements != shown else { return }
        shown = placements
        var areas: [Int: Int] = [:]
        for placement in placements {
            let area = placement.rectangle.width * placement.rectangle.height
            areas[placement.feed] = max(area, areas[placement.feed] ?? 0)
        }
        let largest = areas.values.max() ?? 0
        // The main camera's frames are the movie's.
        insets = Set(areas.filter { $0.key > 0 && 2 * $0.value < largest }.keys)
    }

    /// Whether not all frames of a camera are taken.
    func isThinned(_ camera: Int) -> Bool { divisor > 1 && insets.contains(camera) }

    /// Whether a camera's next frame is taken; to be asked once for each of its frames.
    mutating func keeps(_ camera: Int) -> Bool {
        guard isThinned(camera) else { return true }
        return decimators[camera].keeps()
    }
}

import MediaTypes

/// Takes of frames that come one after the other those that a timelapse shows: for each moment the first one from then on, and all
/// others while a shutter is open.
struct GridSampler: Sendable {
    private let grid: TimelapseGrid
    /// For how much of the time to the next moment the shutter is open.
    private let shutter: Double
    private var begin: MediaTime?
    private var latest: Int?

    /// - Parameter shutter: from 0 to 1; 0: one frame of each moment.
    init(_ grid: TimelapseGrid, shutter: Double = 0) { (self.grid, self.shutter) = (grid, shutter) }

    /// Which frame of the timelapse it is, or a part of; nil: none.
    ///
    /// - Parameter time: in the source; nil where nobody knows it.
    mutating func take(_ time: MediaTime?) -> Int? {
        guard let time else { return nil }
        let shown = time - (begin ?? time)
        begin = begin ?? time
        guard shown >= .zero, let slot = grid.slot(by: shown) else { return nil }
        if slot > latest ?? -1 {
            latest = slot
            return slot
        }
        // A frame that begins as it closes is not seen, whatever a container that counts milliseconds makes of its time.
        let since = shown + .millisecond - grid.time(slot)
        let isOpen = slot == latest && since.seconds < shutter * grid.step(from: slot)
        return isOpen ? slot : nil
    }
}

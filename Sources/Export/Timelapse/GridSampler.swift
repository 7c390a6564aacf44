import MediaTypes

/// Takes of frames that come one after the other those that a timelapse shows: for each moment the first one from then on.
struct GridSampler: Sendable {
    private let grid: TimelapseGrid
    private var begin: MediaTime?
    private var latest: Int?

    init(_ grid: TimelapseGrid) { self.grid = grid }

    /// Which frame of the timelapse it is; nil: none.
    ///
    /// - Parameter time: in the source; nil where nobody knows it.
    mutating func take(_ time: MediaTime?) -> Int? {
        guard let time else { return nil }
        let shown = time - (begin ?? time)
        begin = begin ?? time
        guard shown >= .zero, let slot = grid.slot(by: shown), slot > latest ?? -1 else { return nil }
        latest = slot
        return slot
    }
}

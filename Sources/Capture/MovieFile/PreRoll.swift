import MediaTypes

/// How much before its start a recording begins that waits for it. Pure.
package struct PreRoll: Sendable {
    /// What is asked for.
    let duration: MediaTime
    /// By how much a start is known late: so much more is in the recording, and that it is not there is not told.
    let margin: MediaTime

    /// A recording that follows another one begins where that ended, if the start comes so much too late for it: a busy machine
    /// may need seconds to see that something begins, and nothing may lie between the two.
    private static let reach = 5 * MediaTime.second

    package init(_ duration: Duration, margin: Duration = .zero) {
        (self.duration, self.margin) = (MediaTime(duration), MediaTime(margin))
    }

    /// What is in a recording that follows none.
    var whole: MediaTime { duration + margin }
    /// What is kept in memory. Who starts it by hand knows when.
    var kept: MediaTime { margin > .zero ? whole + Self.reach : whole }

    /// How much before a start there is to be.
    ///
    /// - Parameter end: running time at which the recording before ended, where it follows one.
    func length(before start: MediaTime, after end: MediaTime?) -> MediaTime {
        guard let end, start - end <= kept else { return whole }
        return max(whole, start - end)
    }
}

import Errors
import MediaTypes
import SystemPackage

extension TimeRange {
    /// Whether a time of it is one before the movie's end.
    var countsFromEnd: Bool { start < .zero || end ?? .zero < .zero }

    /// The same in times from the beginning of a movie that lasts so long; its end may lie before its start.
    func counted(in duration: MediaTime) -> TimeRange {
        TimeRange(
            start: start < .zero ? max(.zero, duration + start) : start,
            end: end.map { $0 < .zero ? duration + $0 : $0 })
    }
}

extension InputProperties {
    /// Settings whose range has times from the beginning.
    ///
    /// - Throws: ``RushesError`` for a range of which the movie has nothing, and one that counts from an end that is not known.
    func settled(_ settings: ExportSettings, _ input: FilePath) throws(RushesError) -> ExportSettings {
        var settled = settings
        if let range = settings.range, range.countsFromEnd {
            guard let duration, duration > .zero else {
                throw RushesError(
                    .invalidSettings, on: input.string,
                    "The length of \(input.displayName) is not known; give \(Term.start) and \(Term.end) from its beginning."
                )
            }
            let counted = range.counted(in: duration)
            if let end = counted.end, end <= counted.start {
                throw RushesError(
                    .invalidSettings, on: input.string,
                    "\(input.displayName) lasts \(duration.secondsToHundredths) s, so nothing is left of it; choose an earlier \(Term.start) or a later \(Term.end)."
                )
            }
            settled.range = counted
        }
        try check(settled.range, input)
        return settled
    }
}

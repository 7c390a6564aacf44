import MediaTypes
import MovieFiles

extension FrameSelection {
    /// What is decoded as a movie of its own, and when its frames are shown in the timelapse.
    ///
    /// - Parameter beginning: when the first frame is shown in the original, whose audio counts from there.
    /// - Throws: ``MovieFileError`` where it cannot be made.
    func movie(
        of index: VideoIndex, beginning: MediaTime, rate: Fraction
    ) throws(MovieFileError) -> (movie: SparseMovie, retiming: Retiming) {
        let all = decoded.flatMap { Array($0) }
        let begins = Set(decoded.map(\.lowerBound))
        let order = all.indices.sorted { index.frames[all[$0]].time < index.frames[all[$1]].time }
        var positions = Array(repeating: 0, count: all.count)
        for (position, place) in order.enumerated() { positions[place] = position }
        let movie = try SparseMovie(
            index,
            zip(all, positions).map { .init(index: $0, position: $1, beginsRun: begins.contains($0)) }, rate: rate,
            // Of a source with fewer frames than there are slots, the last slot lies behind the last of its frames.
            leastLength: (chosen.last?.slot ?? 0) + 1)
        let slots = Dictionary(uniqueKeysWithValues: chosen.map { ($0.index, $0.slot) })
        let places = order.map { slots[all[$0]] }
        let (delay, frames) = (movie.delay, Double(rate.numerator) / Double(max(1, rate.denominator)))
        let time = { @Sendable (time: MediaTime?) -> MediaTime? in
            guard let time else { return nil }
            let position = Int((time.seconds * frames).rounded()) - delay
            guard places.indices.contains(position), let slot = places[position] else { return nil }
            return MediaTime(samples: slot, of: rate)
        }
        return (movie, Retiming(rate: rate, time: time, begin: { beginning }))
    }
}

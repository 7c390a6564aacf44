import MediaTypes
import MovieFiles
import Threads

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
        let places = Locked(SparsePositions(order.map { slots[all[$0]] }))
        let (delay, frames) = (movie.delay, Double(rate.numerator) / Double(max(1, rate.denominator)))
        let time = { @Sendable (time: MediaTime?) -> MediaTime? in
            guard let time else { return nil }
            let position = Int((time.seconds * frames).rounded()) - delay
            return places.withLock { $0.take(position) }.map { MediaTime(samples: $0, of: rate) }
        }
        return (movie, Retiming(rate: rate, time: time, begin: { beginning }))
    }
}

/// Which frame of the timelapse each decoded frame is: pure.
struct SparsePositions: Sendable {
    /// By the frames' positions among those that are decoded; nil: not shown.
    private let slots: [Int?]
    /// The last position by its time, and the one that it was taken for.
    private var last: (told: Int, taken: Int)?

    init(_ slots: [Int?]) { self.slots = slots }

    /// The slot of the next frame that comes out of the decoder; nil where it is not shown.
    ///
    /// - Parameter position: as its time tells. A frame with the time of the one before it is the next one: avdec_qtrle (1.22) hands
    ///   those that differ in nothing out at the time of the one that they repeat. No position is taken twice.
    mutating func take(_ position: Int) -> Int? {
        let taken = last.map { position == $0.told ? $0.taken + 1 : position } ?? position
        guard taken > last?.taken ?? -1, slots.indices.contains(taken) else { return nil }
        last = (position, taken)
        return slots[taken]
    }
}

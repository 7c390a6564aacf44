import GStreamer

/// Counts the frames that a camera owes: those that its own count leaves out, and where it has none, the places on its promised rhythm
/// where none came.
///
/// Stamps are late where a machine is busy, and then several come close together: each of those fills a place that was left
/// open before. Others catch up little by little: each gap remembers where the frames behind it lie if it is one, and once they are earlier
/// by a frame it was none. So a gap counts only when so many frames have come since that nothing will fill it any more. A camera that goes
/// over to another even rhythm, as many do in the dark, owes nothing: by then its last gaps have become that rhythm.
struct FrameGaps: Sendable {
    /// From one frame to the next, as promised.
    private(set) var frameDuration: MediaTime
    /// Frames that were lost, for sure.
    private(set) var missing = 0
    /// Gaps that may be filled yet, in order.
    private var open: [Gap] = []
    /// Where the last frame's place lies, scatter taken away.
    private var place: MediaTime?
    private var last: MediaTime = .zero
    private var intervals: [MediaTime] = []
    /// Whether the last frame was counted by the camera.
    private var isNumbered = false
    /// From one frame to the next, as it is now.
    private var rhythm: MediaTime

    private struct Gap {
        /// How many are missing yet.
        var frames: Int
        /// Frames that came since.
        var since = 0
        /// Where the last frame belongs if so many are missing, counted from the place before the gap: what comes behind it may be as late as
        /// the frames there were, but not earlier.
        var place: MediaTime
    }

    /// So many intervals show a rhythm, where three quarters of them are within a seventh of their median.
    private static let memory = 8
    /// A rhythm may be so much faster or slower than the promise, as a part of it, and only scatter.
    private static let scatter = 0.125
    /// After so many frames a gap stays one: more than ``memory``, so that another rhythm has been seen by then, and than a very
    /// busy machine is late in a row (beside builds and a busy loop on two cores ten counted frames that only were late).
    private static let settling = 50
    /// How much earlier than its place a frame may be, in frames.
    private static let early = 0.25

    init(frameDuration: MediaTime) {
        self.frameDuration = max(.nanosecond, frameDuration)
        rhythm = self.frameDuration
    }

    /// A camera that gives nothing for longer stood still, though it counts no frame for that time.
    private static let silence = MediaTime.second

    /// Takes a frame that came, by its stamp.
    ///
    /// - Parameters:
    ///   - lost: how many the camera lost just before it, by its own count; `nil` where it has none. Then those that are late for good, as
    ///     behind a queue that was never full before, are not to be told from lost ones.
    ///   - isContinued: whether that count goes on from the frame before.
    mutating func add(_ time: MediaTime, lost: Int? = nil, isContinued: Bool = true) {
        if let lost {
            missing += lost
            // What looked like gaps before the count was believed is in it.
            if !isNumbered { open = [] }
        }
        isNumbered = lost != nil
        guard let place else {
            (self.place, last) = (time, time)
            return
        }
        let silence = time - last
        note(silence)
        last = time
        // Stamps are late and hardly ever early, so a frame belongs to the last place before it.
        let distance = (time - place) / rhythm
        let places = max(1, Int((min(distance, 1e9) + Self.early).rounded(.down)))
        // Close behind another one: held up, and one of those that seemed to be missing.
        if distance < Self.early { return fill(open.indices.last) }
        age()
        let isStall = lost == 0 && isContinued && silence > Self.silence
        if places > 1, lost == nil || isStall { open.append(Gap(frames: places - 1, place: place)) }
        catchUp(by: places, time)
        let expected = place + places * rhythm
        self.place = time < expected ? time : expected + (time - expected) / 10
    }

    /// Counts what is missing up to the end, and what may no longer be filled.
    mutating func finish(at end: MediaTime?) {
        if let place, let end {
            // A frame whose place is less than half a frame before the end is not part of the movie; a quarter is scatter.
            let places = ((end - place) / rhythm - 0.75).rounded(.up)
            missing += max(0, Int(min(places, 1e9)) - 1)
        }
        missing += open.reduce(0) { $0 + $1.frames }
        open = []
        place = nil
    }

    /// Another rhythm is promised from the next frame on.
    mutating func follow(frameDuration new: MediaTime) {
        finish(at: nil)
        (frameDuration, rhythm, intervals) = (new, new, [])
    }

    /// Takes note of a frame so many places behind the last one, and fills a gap behind which frames turn out to lie earlier.
    private mutating func catchUp(by places: Int, _ time: MediaTime) {
        let isPromised = abs(rhythm / frameDuration - 1) <= Self.scatter
        let length = isPromised ? frameDuration : rhythm
        for index in open.indices { open[index].place += places * length }
        guard let index = open.lastIndex(where: { (time - $0.place) / length <= Self.early - 1 }) else { return }
        for earlier in 0...index { open[earlier].place -= length }
        fill(index)
    }

    private mutating func fill(_ index: Int?) {
        guard let index else { return }
        open[index].frames -= 1
        if open[index].frames == 0 { open.remove(at: index) }
    }

    private mutating func age() {
        for index in open.indices { open[index].since += 1 }
        let settled = open.prefix { $0.since >= Self.settling }
        missing += settled.reduce(0) { $0 + $1.frames }
        open.removeFirst(settled.count)
    }

    /// Follows the camera where it keeps to an even rhythm; else it is held to its promise.
    private mutating func note(_ interval: MediaTime) {
        // Frames that were held up somewhere come as close as that.
        guard interval > frameDuration / 4 else { return }
        intervals.append(interval)
        if intervals.count > Self.settling { intervals.removeFirst() }
        let before = rhythm
        rhythm = usual(of: Self.memory) ?? frameDuration
        // Frames that catch up come evenly, too, but not for long.
        if rhythm / frameDuration < 1 - Self.scatter { rhythm = usual(of: Self.settling) ?? frameDuration }
        guard rhythm > before + before / 4 else { return }
        // What looked like gaps was the beginning of this rhythm; a longer silence was none.
        open.removeAll { $0.frames * frameDuration <= rhythm + rhythm / 4 }
    }
    /// The median of the last intervals, where they are even.
    private func usual(of count: Int) -> MediaTime? {
        guard intervals.count >= count else { return nil }
        let last = intervals.suffix(count).sorted()
        let usual = last[count / 2]
        let even = last.count { ($0 - usual).length <= usual / 7 }
        return even >= count * 3 / 4 ? usual : nil
    }
}

import MediaTypes

/// When the shots of a timelapse are due: on a fixed grid of wall time. Pure.
///
/// Slot number n lies n intervals after the first. It takes the first frame from its time on; where none comes in half an interval, the
/// slot is missed and the next one keeps its time, so nothing that is late ever shifts the grid. Where the wall clock is set, or the
/// machine was suspended, the grid goes on by the new time with the next slot: what lies between was never due.
struct ShotSchedule: Sendable {
    /// From one slot to the next.
    let interval: MediaTime
    /// Wall time of the first slot.
    let anchor: MediaTime
    /// How many slots there are; `nil`: no end.
    let slotCount: Int?
    /// How late a frame may be.
    private let tolerance: MediaTime
    /// When shots are taken at all; `nil`: always.
    private let hours: TimelapseSettings.Hours?
    /// The first slot that is due.
    let first: Int
    /// The last slot that has been taken or missed, or in which nothing was due.
    private(set) var slot: Int
    private var last: ClockReading?
    /// How far the wall clock was set since ``evaluate(at:)`` told of it.
    private var jumped: MediaTime?
    /// Slots that were due and got their frame, or got none.
    private(set) var taken = 0
    private(set) var missed = 0
    /// While it is held, as in a pause, nothing is due.
    private(set) var isHeld = false

    /// More than this is no clock that is kept right, but one that was set.
    private static let jump = MediaTime.second

    /// - Parameters:
    ///   - begin: wall time from which on shots are due.
    ///   - frameDuration: from one frame to the next of the camera.
    init(
        every interval: MediaTime, from anchor: MediaTime, begin: MediaTime, slotCount: Int? = nil,
        frameDuration: MediaTime = .zero, hours: TimelapseSettings.Hours? = nil
    ) {
        (self.anchor, self.slotCount, self.hours) = (anchor, slotCount, hours)
        self.interval = max(.millisecond, interval)
        tolerance = min(self.interval, max(self.interval / 2, frameDuration * 3 / 2))
        slot = max(-1, Self.index(begin - .nanosecond, from: anchor, every: self.interval))
        first = slot + 1
    }

    /// Of the slot that is under way at a wall time; negative before the first.
    private func index(_ wall: MediaTime) -> Int { Self.index(wall, from: anchor, every: interval) }

    private static func index(_ wall: MediaTime, from anchor: MediaTime, every interval: MediaTime) -> Int {
        let distance = wall - anchor
        return distance >= .zero
            ? distance.quotient(dividingBy: interval) : -1 - (-distance - .nanosecond).quotient(dividingBy: interval)
    }

    /// Wall time of a slot.
    func time(of slot: Int) -> MediaTime { anchor + slot * interval }

    /// Whether no slot follows.
    var isOver: Bool { slotCount.map { slot >= $0 - 1 } ?? false }

    private func isWanted(_ slot: Int) -> Bool {
        slot < slotCount ?? .max && !isHeld && hours?.contain(time(of: slot)) ?? true
    }

    /// Takes note of the time: slots whose frame can come no more are missed.
    ///
    /// - Returns: how far the wall clock was set forth, or back if negative; `nil` where it was not.
    mutating func evaluate(at now: ClockReading) -> MediaTime? {
        pass(at: now)
        defer { jumped = nil }
        return jumped
    }

    private mutating func pass(at now: ClockReading) {
        follow(now)
        let current = index(now.wall)
        pass(to: now.wall - time(of: current) > tolerance ? current : current - 1)
    }

    /// Goes on by the new time where the wall clock was set. All that depends on the time does that first: a frame comes sooner than the next
    /// look.
    private mutating func follow(_ now: ClockReading) {
        defer { last = now }
        guard let last else { return }
        let jump = now.wall - last.wall - (now.running - last.running)
        guard jump.length > Self.jump else { return }
        // Before the beginning, too: it would else wait until that has come again.
        slot = index(now.wall)
        jumped = (jumped ?? .zero) + jump
    }

    /// Lets nothing be due, until it is told to go on: then from the next slot on.
    mutating func hold(_ isHeld: Bool, at now: ClockReading) {
        pass(at: now)
        if !isHeld { slot = max(slot, index(now.wall)) }
        self.isHeld = isHeld
    }

    /// Whether a frame taken at that moment is the one of a slot.
    mutating func isDue(at moment: ClockReading) -> Bool {
        follow(moment)
        let current = index(moment.wall)
        return current > slot && isWanted(current) && moment.wall - time(of: current) <= tolerance
    }

    /// Takes a frame for its slot. False if that has one, or none is due.
    mutating func take(at moment: ClockReading) -> Bool {
        guard isDue(at: moment) else { return false }
        let current = index(moment.wall)
        pass(to: current - 1)
        slot = current
        taken += 1
        return true
    }

    /// Lets the slot of a frame go by, which is not worth keeping.
    mutating func skip(at moment: ClockReading) {
        guard isDue(at: moment) else { return }
        pass(to: index(moment.wall) - 1)
        slot = index(moment.wall)
    }

    /// A frame that was taken could not be kept.
    mutating func lose() { (taken, missed) = (taken - 1, missed + 1) }

    private mutating func pass(to current: Int) {
        guard current > slot else { return }
        if hours == nil {
            let last = min(current, (slotCount ?? .max) - 1)
            if !isHeld { missed += max(0, last - slot) }
        } else {
            for index in slot + 1...current where isWanted(index) { missed += 1 }
        }
        slot = current
    }

    /// Wall time of the next slot that will be due; `nil` if none is, or not within a year.
    func next(after now: MediaTime) -> MediaTime? {
        var next = max(slot + 1, index(now - .nanosecond) + 1)
        guard !isOver, next < slotCount ?? .max else { return nil }
        guard let hours, !hours.contain(time(of: next)) else { return time(of: next) }
        guard let time = hours.first(from: time(of: next)) else { return nil }
        next = index(time - .nanosecond) + 1
        return next < slotCount ?? .max ? self.time(of: next) : nil
    }
}

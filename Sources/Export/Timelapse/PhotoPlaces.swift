import MediaTypes
import Threads

/// When each photo is shown, as they come: those that cannot be decoded leave no gap between frames that are evenly apart.
final class PhotoPlaces: Sendable {
    private struct State {
        /// Of the newest photo, by the schedule.
        var frame: Int?
        /// Of the movie.
        var number = -1
    }

    private let schedule: PhotoSchedule
    private let rate: Fraction
    private let state = Locked(State())

    init(_ schedule: PhotoSchedule, rate: Fraction) { (self.schedule, self.rate) = (schedule, rate) }

    /// - Parameter shot: which of the schedule's; asked for in order.
    func next(_ shot: Int) -> (time: MediaTime, duration: MediaTime) {
        let frame = schedule.shots[shot].frame
        let number = state.withLock { state in
            if state.frame != frame { (state.frame, state.number) = (frame, state.number + 1) }
            return state.number
        }
        let slot = schedule.slots?[frame] ?? number
        let slots = schedule.slots ?? []
        let end = slots.indices.contains(frame + 1) ? slots[frame + 1] : slot + 1
        let time = MediaTime(samples: slot, of: rate)
        return (time, MediaTime(samples: end, of: rate) - time)
    }
}

import Composition
import MediaTypes
import Photos
import Threads

/// When each photo is shown, as they come: those that cannot be decoded leave no gap between frames that are evenly apart.
final class PhotoPlaces: Sendable {
    private struct State {
        /// Of the newest photo, by the schedule.
        var frame: Int?
        /// Of the movie.
        var number = -1
        /// When the first photo of each frame was taken, by where the frame lies.
        var dates: [Int: PhotoDate] = [:]
    }

    private let schedule: PhotoSchedule
    private let photos: [PhotoFile]
    private let rate: Fraction
    private let state = Locked(State())

    /// - Parameter photos: the schedule's.
    init(_ schedule: PhotoSchedule, _ photos: [PhotoFile], rate: Fraction) {
        (self.schedule, self.photos, self.rate) = (schedule, photos, rate)
    }

    /// When the frame at a time of the movie was taken, by the camera's clock. Asked for once.
    func moment(at time: MediaTime) -> StampMoment? {
        let slot = Int((time.seconds * rate.doubleValue).rounded())
        return state.withLock { $0.dates.removeValue(forKey: slot) }.map { StampMoment($0) }
    }

    /// - Parameter shot: which of the schedule's; asked for in order.
    func next(_ shot: Int) -> (time: MediaTime, duration: MediaTime) {
        let frame = schedule.shots[shot].frame
        let date = photos[shot].date
        let slot = state.withLock { state in
            let isFirst = state.frame != frame
            if isFirst { (state.frame, state.number) = (frame, state.number + 1) }
            let slot = schedule.slots?[frame] ?? state.number
            if isFirst { state.dates[slot] = date }
            return slot
        }
        let slots = schedule.slots ?? []
        let end = slots.indices.contains(frame + 1) ? slots[frame + 1] : slot + 1
        let time = MediaTime(samples: slot, of: rate)
        return (time, MediaTime(samples: end, of: rate) - time)
    }
}

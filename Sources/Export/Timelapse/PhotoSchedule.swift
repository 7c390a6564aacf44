import Errors
import MediaTypes
import Photos

/// Which photos a timelapse shows, and when.
struct PhotoSchedule: Sendable, Hashable {
    /// One that is decoded.
    struct Shot: Sendable, Hashable {
        /// Among all photos in their order.
        var photo: Int
        /// The frame of the movie that it is, or a part of.
        var frame: Int
    }

    private(set) var shots: [Shot] = []
    /// Where each frame of the movie lies, counted by its rate; nil: one behind the other.
    private(set) var slots: [Int]?

    /// How many frames the movie has, if all can be decoded.
    var frameCount: Int { (shots.last?.frame ?? -1) + 1 }
    /// The same where some shots are left out.
    func frameCount(without leftOut: Set<Int>) -> Int {
        leftOut.isEmpty ? frameCount : Set(shots.indices.filter { !leftOut.contains($0) }.map { shots[$0].frame }).count
    }
    /// How many frames of the rate it lasts.
    var length: Int { slots?.last.map { $0 + 1 } ?? frameCount }

    /// - Parameter photos: in their order.
    /// - Throws: ``RushesError`` where less than two frames are left, or what is asked for cannot be had of these photos.
    init(_ timelapse: Timelapse, _ photos: [PhotoFile]) throws(RushesError) {
        if timelapse.keepsTimes {
            try place(timelapse, photos)
        } else {
            try choose(timelapse, photos.count)
        }
        guard frameCount >= 2 else {
            throw RushesError(
                .invalidSettings,
                photos.count == 1
                    ? "There is one photo only; a timelapse is made of two or more."
                    : "Of \(photos.count) photos fewer than two frames are left; choose a "
                        + "\(timelapse.pace?.isLength == true ? "longer \(Term.length)" : "lower \(Term.speed)").")
        }
    }

    /// Photos at even distances.
    private mutating func choose(_ timelapse: Timelapse, _ count: Int) throws(RushesError) {
        let blended = timelapse.look.photosPerFrame
        let asked: Double
        switch timelapse.pace {
        case nil: asked = Double(blended)
        case .speed(let speed): asked = speed
        case .length(let length): asked = Double(count) / max(1, length.seconds * timelapse.rate.doubleValue)
        case .ramp: throw Self.needsVideo
        }
        guard asked >= 1 else {
            throw RushesError(
                .invalidSettings,
                "\(count) photos last \(Timelapse.text(MediaTime(samples: count, of: timelapse.rate))) at most; choose a shorter "
                    + "\(Term.length), or a lower \(Term.frameRate).")
        }
        // No photo is further away.
        let speed = min(asked, Double(max(1, count)))
        guard Int(speed) >= blended else {
            throw RushesError(
                .invalidSettings,
                "\(blended) photos cannot become one frame where the next one begins \(Int(speed)) "
                    + "photo\(Int(speed) == 1 ? "" : "s") later; choose a \(Term.speed) of \(blended) or more.")
        }
        var frame = 0
        while case let first = Int((Double(frame) * speed).rounded(.up)), first < count {
            for photo in first..<min(first + blended, count) { shots.append(Shot(photo: photo, frame: frame)) }
            frame += 1
        }
    }

    /// Photos as far apart as they were taken: of those that would be one frame the first.
    private mutating func place(_ timelapse: Timelapse, _ photos: [PhotoFile]) throws(RushesError) {
        let dates = PhotoDate.times(of: photos.compactMap(\.date))
        guard dates.count == photos.count, let first = dates.first, let last = dates.last else {
            throw RushesError(
                .invalidSettings,
                "\(photos.count - dates.count) of \(photos.count) photos do not say when they were taken, so their times "
                    + "cannot be kept.")
        }
        let frames = timelapse.rate.doubleValue
        let speed: Double
        switch timelapse.pace {
        case .speed(let asked): speed = asked
        case .length(let length): speed = Double(last - first) / 1000 / max(1 / frames, length.seconds - 1 / frames)
        case .ramp: throw Self.needsVideo
        case nil:
            throw RushesError(
                .invalidSettings, "How fast should the kept times pass? Give a \(Term.speed) or a \(Term.length).")
        }
        var slots: [Int] = []
        for (photo, date) in dates.enumerated() {
            let place = (Double(date - first) / 1000 / max(speed, 1e-9) * frames).rounded()
            guard place / frames < MediaTime.longest.seconds else {
                throw RushesError(
                    .invalidSettings, "The timelapse would last for centuries; choose a higher \(Term.speed).")
            }
            let slot = Int(place)
            guard slot > slots.last ?? -1 else { continue }
            shots.append(Shot(photo: photo, frame: slots.count))
            slots.append(slot)
        }
        self.slots = slots
    }

    private static let needsVideo = RushesError(.invalidSettings, "A ramp is for videos; photos have a \(Term.speed).")
}

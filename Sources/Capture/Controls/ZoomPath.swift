import Foundation
import MediaTypes

/// The way of a zoom from one factor to another: in equal times the field of view changes by the same factor. Pure.
struct ZoomPath: Sendable, Equatable {
    /// Times the widest field of view.
    private(set) var from = 1.0
    private(set) var to = 1.0
    private(set) var duration = MediaTime.zero
    /// The time of the first frame on it.
    private var begin: MediaTime?

    /// Goes on from where it is.
    mutating func move(to factor: Double, over duration: MediaTime, at time: MediaTime?) {
        from = time.map(factor(at:)) ?? to
        (to, self.duration, begin) = (factor, duration, nil)
    }

    /// For a frame of that time; the first one after a ``move(to:over:at:)`` is where it begins.
    mutating func next(_ time: MediaTime) -> Double {
        begin = begin ?? time
        return factor(at: time)
    }

    private func factor(at time: MediaTime) -> Double {
        guard duration > .zero else { return to }
        guard let begin else { return from }
        return Self.between(from, to, at: (time - begin).seconds / duration.seconds)
    }

    /// - Parameters:
    ///   - low: above zero.
    ///   - high: above zero.
    ///   - place: from 0 to 1; beyond it is an end.
    static func between(_ low: Double, _ high: Double, at place: Double) -> Double {
        place <= 0 ? low : place >= 1 ? high : low * pow(high / low, place)
    }
}

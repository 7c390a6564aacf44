import GStreamer
import MediaTypes
import Threads

/// The moments of a source that a timelapse shows: one for each of its frames, evenly apart where its speed is even.
struct TimelapseGrid: Sendable, Hashable {
    let curve: SpeedCurve
    /// Frames a second of the timelapse.
    let rate: Fraction

    /// - Parameter rate: frames a second of the timelapse.
    init(_ curve: SpeedCurve, rate: Fraction) { (self.curve, self.rate) = (curve, rate) }

    /// - Parameters:
    ///   - speed: how many times as fast as the source; above 0.
    ///   - rate: frames a second of the timelapse.
    init(speed: Double, rate: Fraction) { self.init(SpeedCurve(speed), rate: rate) }

    /// When the frame of a number is due in the source.
    func time(_ slot: Int) -> MediaTime {
        MediaTime(seconds: curve.source(at: Double(slot) * Double(rate.denominator) / rate.framesPerDenominator))
    }

    /// Seconds of the source from a frame to the next.
    func step(from slot: Int) -> Double { (time(slot + 1) - time(slot)).seconds }

    /// The first frame that is due at a time of the source or later, up to what rounding costs.
    func slot(from time: MediaTime) -> Int { max(0, Int(place(time - Self.rounding).rounded(.up))) }

    /// The last frame that is due by a time of the source, up to what rounding costs; nil before the first.
    func slot(by time: MediaTime) -> Int? {
        let slot = Int(place(time + Self.rounding).rounded(.down))
        return slot >= 0 ? slot : nil
    }

    /// How many frames are due within a time.
    func count(in duration: MediaTime) -> Int { slot(from: duration) }

    /// When a moment of the source is shown.
    func shown(at time: MediaTime) -> MediaTime { MediaTime(seconds: curve.shown(at: time.seconds)) }

    private func place(_ time: MediaTime) -> Double {
        curve.shown(at: time.seconds) * rate.framesPerDenominator / Double(rate.denominator)
    }

    /// How far times may be off that are told in nanoseconds.
    private static let rounding: MediaTime = .microsecond
}

extension Fraction {
    /// The numerator, of which there is one at least.
    fileprivate var framesPerDenominator: Double { Double(max(1, numerator)) }
}

/// Takes of frames that come one after the other those that a timelapse shows: for each moment the first one from then on, and all
/// others while a shutter is open.
struct GridSampler: Sendable {
    private let grid: TimelapseGrid
    /// For how much of the time to the next moment the shutter is open.
    private let shutter: Double
    /// When the first frame was shown.
    private(set) var begin: MediaTime?
    private var latest: Int?

    /// - Parameter shutter: from 0 to 1; 0: one frame of each moment.
    init(_ grid: TimelapseGrid, shutter: Double = 0) { (self.grid, self.shutter) = (grid, shutter) }

    /// Which frame of the timelapse it is, or a part of; nil: none.
    ///
    /// - Parameter time: in the source; nil where nobody knows it.
    mutating func take(_ time: MediaTime?) -> Int? {
        guard let time else { return nil }
        let shown = time - (begin ?? time)
        begin = begin ?? time
        guard shown >= .zero, let slot = grid.slot(by: shown) else { return nil }
        if slot > latest ?? -1 {
            latest = slot
            return slot
        }
        // A frame that begins as it closes is not seen, whatever a container that counts milliseconds makes of its time.
        let since = shown + .millisecond - grid.time(slot)
        let isOpen = slot == latest && since.seconds < shutter * grid.step(from: slot)
        return isOpen ? slot : nil
    }
}

extension Retiming {
    /// Takes the frames of a timelapse of all that are decoded.
    ///
    /// - Parameter shutter: see ``GridSampler``.
    static func sampling(_ grid: TimelapseGrid, shutter: Double = 0) -> Retiming {
        let sampler = Locked(GridSampler(grid, shutter: shutter))
        return Retiming(
            rate: grid.rate,
            time: { time in sampler.withLock { $0.take(time) }.map { MediaTime(samples: $0, of: grid.rate) } },
            begin: { sampler.withLock { $0.begin } })
    }
}

import Errors
import MediaTypes
import SystemPackage

extension Timelapse {
    /// The moments that are shown of a video that lasts so long.
    ///
    /// - Throws: ``RushesError`` for a speed that leaves less than two frames, or that is none.
    func grid(of duration: MediaTime) throws(RushesError) -> TimelapseGrid {
        let name = input.displayName
        let curve: SpeedCurve
        switch pace {
        case nil: curve = SpeedCurve(1)
        case .speed(let asked): curve = SpeedCurve(asked)
        case .length(let length): curve = SpeedCurve(length > .zero ? duration.seconds / length.seconds : .infinity)
        case .ramp(let points):
            guard !points.isEmpty else {
                throw RushesError(.invalidSettings, on: input.string, "A ramp has one speed or more.")
            }
            curve = SpeedCurve(points)
        }
        let isRamp = if case .ramp = pace { true } else { false }
        let shown = curve.shown(at: duration.seconds)
        guard shown < duration.seconds || pace == .speed(1), shown > 0 else {
            throw RushesError(
                .invalidSettings, on: input.string,
                "\(name) lasts \(Self.text(duration)), no longer than the timelapse would; choose \(isRamp ? "higher speeds of the ramp" : "a shorter \(Term.length)")."
            )
        }
        let grid = TimelapseGrid(curve, rate: rate)
        guard grid.count(in: duration) >= 2 else {
            throw RushesError(
                .invalidSettings, on: input.string,
                "\(name) lasts \(Self.text(duration)), of which a timelapse at this speed has not even two frames; choose "
                    + (isRamp ? "lower speeds of the ramp." : "a lower \(Term.speed), or a longer \(Term.length)."))
        }
        return grid
    }

    /// How many times as fast audio is; nil without.
    ///
    /// - Throws: ``RushesError`` for what nobody would understand.
    func tempo(of duration: MediaTime) throws(RushesError) -> Double? {
        guard keepsAudio else { return nil }
        let speed: Double
        switch pace {
        case .speed(let asked): speed = asked
        case .length(let length): speed = duration.seconds / length.seconds
        case .ramp:
            throw RushesError(
                .invalidSettings, on: input.string,
                "Audio has one speed, and a ramp has many; leave the \(Term.timelapseAudio) out.")
        case nil: speed = 1
        }
        guard speed <= Self.fastestAudio else {
            throw RushesError(
                .invalidSettings, on: input.string,
                "Audio stays intelligible up to \(Int(Self.fastestAudio)) times as fast, and this is "
                    + "\((speed * 10).rounded() / 10) times; choose a lower \(Term.speed), or leave the "
                    + "\(Term.timelapseAudio) out.")
        }
        return speed
    }

    static func text(_ time: MediaTime) -> String {
        let tenths = (time.seconds * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }
}

extension Timelapse.Pace {
    var isLength: Bool { if case .length = self { true } else { false } }
}

import Errors
import MediaTypes
import SystemPackage

extension VideoTimelapse {
    /// The moments that are shown of a video that lasts so long.
    ///
    /// - Throws: ``RushesError`` for a speed that leaves less than two frames, or that is none.
    func grid(of duration: MediaTime) throws(RushesError) -> TimelapseGrid {
        let name = input.displayName
        let curve: SpeedCurve
        switch pace {
        case .speed(let asked): curve = SpeedCurve(asked)
        case .length(let length): curve = SpeedCurve(length > .zero ? duration.seconds / length.seconds : .infinity)
        case .ramp(let points): curve = SpeedCurve(points)
        }
        let shown = curve.shown(at: duration.seconds)
        guard shown < duration.seconds, shown > 0 else {
            throw RushesError(
                .invalidSettings, on: input.string,
                "\(name) lasts \(Self.text(duration)), no longer than the timelapse would; choose a shorter \(Term.length)."
            )
        }
        let grid = TimelapseGrid(curve, rate: rate)
        guard grid.count(in: duration) >= 2 else {
            throw RushesError(
                .invalidSettings, on: input.string,
                "\(name) lasts \(Self.text(duration)), of which a timelapse at this speed has not even two frames; choose a "
                    + "lower \(Term.speed), or a longer \(Term.length).")
        }
        return grid
    }

    private static func text(_ time: MediaTime) -> String {
        let tenths = (time.seconds * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }
}

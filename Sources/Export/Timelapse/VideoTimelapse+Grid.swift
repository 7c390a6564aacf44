import Errors
import MediaTypes
import SystemPackage

extension VideoTimelapse {
    /// The moments that are shown of a video that lasts so long.
    ///
    /// - Throws: ``RushesError`` for a speed that leaves less than two frames, or that is none.
    func grid(of duration: MediaTime) throws(RushesError) -> TimelapseGrid {
        let speed: Double
        switch pace {
        case .speed(let asked): speed = asked
        case .length(let length): speed = length > .zero ? duration.seconds / length.seconds : .infinity
        }
        let name = input.displayName
        guard speed > 1, speed.isFinite else {
            throw RushesError(
                .invalidSettings, on: input.string,
                "\(name) lasts \(Self.text(duration)), no longer than the timelapse would; choose a shorter \(Term.length)."
            )
        }
        let grid = TimelapseGrid(speed: speed, rate: rate)
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

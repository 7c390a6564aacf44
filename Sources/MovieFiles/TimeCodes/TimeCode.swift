package import MediaTypes

/// The time code of a movie's first frame, as cameras and editors count: hours, minutes, seconds and frames (SMPTE ST 12-1).
package struct TimeCode: Hashable, Sendable, CustomStringConvertible {
    /// Frames since 00:00:00:00.
    package var frameNumber: UInt32
    /// Frames in `rateDenominator` seconds.
    package var rateNumerator: UInt32
    /// Such as 1001 for 30000/1001.
    package var rateDenominator: UInt32
    /// Whether numbers are left out so that the count keeps up with the clock at 30000/1001 and its multiples.
    package var isDropFrame: Bool

    /// - Returns: nil where the rate is none, or none that time codes have a place for.
    package init?(
        hours: UInt32, minutes: UInt32, seconds: UInt32, frames: UInt32, rateNumerator: UInt32, rateDenominator: UInt32,
        isDropFrame: Bool
    ) {
        self.init(
            frameNumber: 0, rateNumerator: rateNumerator, rateDenominator: rateDenominator, isDropFrame: isDropFrame)
        guard hours < 24, minutes < 60, seconds < 60, frames < framesPerSecond else { return nil }
        let allMinutes = hours * 60 + minutes
        frameNumber = (allMinutes * 60 + seconds) * framesPerSecond + frames
        frameNumber -= droppedPerMinute * (allMinutes - allMinutes / 10)
    }

    /// - Parameter frameNumber: one behind the day's last frame begins again, as damaged files and counts below zero have it.
    init?(frameNumber: UInt32, rateNumerator: UInt32, rateDenominator: UInt32, isDropFrame: Bool) {
        guard rateDenominator > 0, (1...255).contains((Double(rateNumerator) / Double(rateDenominator)).rounded())
        else { return nil }
        (self.frameNumber, self.rateNumerator) = (frameNumber, rateNumerator)
        (self.rateDenominator, self.isDropFrame) = (rateDenominator, isDropFrame)
        self.frameNumber %= framesPerDay
    }

    /// As they are counted: 30 at 30000/1001.
    var framesPerSecond: UInt32 { UInt32((Double(rateNumerator) / Double(rateDenominator)).rounded()) }

    /// Of nine minutes in ten.
    private var droppedPerMinute: UInt32 { isDropFrame ? framesPerSecond / 15 : 0 }

    private var framesPerDay: UInt32 { framesPerSecond * 86_400 - droppedPerMinute * 9 * 144 }

    /// That of a frame so much later; behind the day's last one it begins again.
    ///
    /// - Parameter isUnderWay: whether a frame that has begun by then is meant, and else the one that begins about then.
    package func advanced(by time: MediaTime, isUnderWay: Bool = false) -> TimeCode {
        var code = self
        let exact = time.seconds * Double(rateNumerator) / Double(rateDenominator)
        // Containers' times are rounded by less than that.
        let frames = isUnderWay ? (exact + 0.05).rounded(.down) : exact.rounded()
        let number = Int64(Double(frameNumber) + min(max(0, frames), 1e12))
        code.frameNumber = UInt32(number % Int64(framesPerDay))
        return code
    }

    /// The time of day that it shows.
    package var timeOfDay: MediaTime {
        MediaTime(seconds: Double(frameNumber + droppedPerMinute * droppedMinutes) / Double(framesPerSecond))
    }

    /// How many minutes began with numbers that are left out.
    private var droppedMinutes: UInt32 {
        let perMinute = framesPerSecond * 60 - droppedPerMinute
        let (tens, rest) = frameNumber.quotientAndRemainder(dividingBy: perMinute * 10 + droppedPerMinute)
        return 9 * tens + (rest >= droppedPerMinute ? (rest - droppedPerMinute) / perMinute : 0)
    }

    /// Such as 01:00:00:00; with a semicolon before the frames where some are left out.
    package var description: String {
        let number = frameNumber + droppedPerMinute * droppedMinutes
        let seconds = number / framesPerSecond
        func two(_ value: UInt32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return two(seconds / 3600 % 24) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
            + (isDropFrame ? ";" : ":") + two(number % framesPerSecond)
    }
}

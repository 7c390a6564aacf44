import Foundation
package import MediaTypes
package import SystemPackage

extension TimeCode {
    /// The time of day at which a frame was taken, as clocks showed it there.
    ///
    /// Hours, minutes and seconds are those of the clock; the frame is the one that is under way. Codes of 30000/1001 frames a second and
    /// its multiples leave numbers out (drop frame), as only so they keep up with the clock; those of other rates, 24000/1001 too, do
    /// not, as SMPTE ST 12-1 knows it for no other. A rate within 0.02 % of a whole one or of one over 1.001 is taken for that: cameras
    /// round theirs. Where no standard counts by a rate, as by 10 or 15, the code counts by the lowest standard one that is a multiple.
    ///
    /// - Parameter rate: of the track's frames, in frames a second.
    /// - Returns: nil where the rate is not known, or none that time codes have a place for.
    package init?(_ date: MovieDate, rate: Fraction) {
        guard let (numerator, denominator) = Self.standard(rate) else { return nil }
        let isDropFrame = denominator == 1001 && numerator % 30_000 == 0
        self.init(
            frameNumber: 0, rateNumerator: numerator, rateDenominator: denominator, isDropFrame: isDropFrame)
        let local = date.date.timeIntervalSince1970 + Double(date.secondsFromGMT)
        guard local.magnitude < 1e12 else { return nil }
        let inDay = local - (local / 86_400).rounded(.down) * 86_400
        let whole = UInt32(min(inDay, 86_399))
        // A hundredth of a frame earlier is what a date of milliseconds may be.
        let frames = min(UInt32((inDay - Double(whole)) * Double(framesPerSecond) + 0.01), framesPerSecond - 1)
        let (minutes, seconds) = (whole / 60, whole % 60)
        let isLeftOut = isDropFrame && minutes % 10 != 0 && seconds == 0
        self.init(
            hours: minutes / 60, minutes: minutes % 60, seconds: seconds,
            frames: isLeftOut ? max(frames, framesPerSecond / 15) : frames, rateNumerator: numerator,
            rateDenominator: denominator, isDropFrame: isDropFrame)
    }

    /// What ffmpeg (`libavutil/timecode.c`) and editors count by; ffmpeg warns of others wherever it opens the file.
    private static let standards: [UInt32] = [24, 25, 30, 48, 50, 60, 100, 120]

    /// The lowest standard rate that is a multiple of another one.
    static func standard(_ rate: Fraction) -> (UInt32, UInt32)? {
        guard rate.doubleValue > 0 else { return nil }
        for standard in standards {
            for (numerator, denominator) in [(standard, UInt32(1)), (standard * 1000, 1001)] {
                let multiple = Double(numerator) / Double(denominator) / rate.doubleValue
                guard multiple.rounded() >= 1, (multiple / multiple.rounded() - 1).magnitude < 0.0002 else { continue }
                return (numerator, denominator)
            }
        }
        return nil
    }
}

extension TimeCode {
    /// The time code of the first frame of raw DV (IEC 61834-2); nil for any other file, and for a tape without one.
    package static func first(inRawDV path: FilePath) -> TimeCode? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        // A header and two blocks of subcode begin each sequence, 80 bytes each.
        var bytes = [UInt8](repeating: 0, count: 240)
        guard (try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) })) == bytes.count else { return nil }
        return TimeCode(dv: bytes)
    }

    private init?(dv bytes: [UInt8]) {
        guard bytes.starts(with: [0x1F, 0x07, 0x00]), bytes[80] >> 5 == 1, bytes[160] >> 5 == 1 else { return nil }
        // Six packets a block, each with three bytes of its own before a pack of five, whose first byte says what it is.
        let packs = [80, 160].flatMap { block in (0..<6).map { block + 3 + 8 * $0 + 3 } }
        guard let pack = packs.first(where: { bytes[$0] == 0x13 }) else { return nil }
        func number(_ byte: UInt8, tens: UInt8) -> UInt32 { UInt32(byte >> 4 & tens) * 10 + UInt32(byte & 0x0F) }
        let isPAL = bytes[3] & 0x80 != 0
        self.init(
            hours: number(bytes[pack + 4], tens: 3), minutes: number(bytes[pack + 3], tens: 7),
            seconds: number(bytes[pack + 2], tens: 7), frames: number(bytes[pack + 1], tens: 3),
            rateNumerator: isPAL ? 25 : 30_000, rateDenominator: isPAL ? 1 : 1001,
            isDropFrame: !isPAL && bytes[pack + 1] & 0x40 != 0)
    }
}

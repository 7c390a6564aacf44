public import Foundation

/// An instant together with the zone of the clock it was read from, as `com.apple.quicktime.creationdate` keeps it.
public struct MovieDate: Hashable, Sendable {
    /// The instant; milliseconds are kept in a file.
    public var date: Date
    /// What the local clock was ahead of UTC, in seconds; whole minutes are kept in a file.
    public var secondsFromGMT: Int
    /// How much of it is known; what is not is the first moment of that year, month or day.
    package var precision = Precision.second

    package enum Precision: Hashable, Sendable { case year, month, day, second }

    /// - Parameter secondsFromGMT: what the local clock was ahead of UTC.
    public init(_ date: Date, secondsFromGMT: Int = 0) {
        self.date = date
        self.secondsFromGMT = secondsFromGMT
    }

    /// An instant in the zone that this machine is set to.
    package init(_ date: Date, in timeZone: TimeZone) {
        self.init(date, secondsFromGMT: timeZone.secondsFromGMT(for: date))
    }
}

extension MovieDate {
    /// Seconds between 1904-01-01, which the headers of a movie count from, and 1970-01-01.
    static let secondsFrom1904To1970 = 2_082_844_800

    /// The time of a `mvhd`, `tkhd` or `mdhd`; nil for 0, which stands for "not known". Some programs count from 1970, where it would be before there
    /// were movie files: ffprobe and exiftool take it so, too.
    init?(secondsSince1904: UInt64) {
        guard secondsSince1904 > 0 else { return nil }
        let origin = secondsSince1904 < UInt64(Self.secondsFrom1904To1970) ? 0 : Self.secondsFrom1904To1970
        let seconds = Double(secondsSince1904) - Double(origin)
        guard seconds < Self.endOfCalendar else { return nil }
        self.init(Date(timeIntervalSince1970: seconds))
    }

    var secondsSince1904: UInt64 {
        UInt64(max(0, (secondsSince1970 + Double(Self.secondsFrom1904To1970)).rounded(.down)))
    }

    /// The year 10000, which ISO 8601 cannot write in four digits.
    private static let endOfCalendar = 253_402_300_800.0

    /// What a file can hold of `date`: from the year 1 on, up to the year 9999.
    private var secondsSince1970: Double {
        let seconds = date.timeIntervalSince1970
        return seconds.isNaN ? 0 : min(max(seconds, -62_135_596_800), Self.endOfCalendar - 86_400)
    }
}

extension MovieDate: CustomStringConvertible {
    /// ISO 8601, as `2026-11-21T14:03:22.125+0100`; `Z` for UTC, no fraction for a whole second; of a day, a month or a year not more than that.
    public var description: String {
        let offset = Int64(min(max(secondsFromGMT, -86_400), 86_400))
        let milliseconds = Int64((secondsSince1970 * 1000).rounded()) + offset * 1000
        let (days, inDay) = milliseconds.quotientAndModulus(of: 86_400_000)
        let (year, month, day) = Self.civil(daysSince1970: days)
        let fraction = inDay % 1000
        switch precision {
        case .year: return String(format: "%04d", year)
        case .month: return String(format: "%04d-%02d", year, month)
        case .day: return String(format: "%04d-%02d-%02d", year, month, day)
        case .second:
            return String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day,
                inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60)
                + (fraction == 0 ? "" : String(format: ".%03d", fraction)) + zone
        }
    }

    /// Whether it is a moment, and not only a day, a month or a year.
    package var isInstant: Bool { precision == .second }

    private var zone: String {
        guard secondsFromGMT != 0 else { return "Z" }
        let minutes = min(abs(max(secondsFromGMT, -86_400)), 86_400) / 60
        return (secondsFromGMT < 0 ? "-" : "+") + String(format: "%02d%02d", minutes / 60, minutes % 60)
    }
}

extension MovieDate {
    /// Reads ISO 8601: a date, with a time, a fraction and a zone (`Z`, `+0100`, `+01:00`) where they are there. Of a date the hyphens may be
    /// missing, or the day, or month and day, as music has it; then it is the first.
    ///
    /// Without a zone the time counts as UTC.
    package init?(_ text: String) {
        let pattern =
            #/
            (?<year>\d{4})(?:-?(?<month>\d{2})(?:-?(?<day>\d{2}))?)?
            (?:[T\ ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?
            \ ?(?:(?<utc>Z)|(?<sign>[+-])(?<zoneHour>\d{2}):?(?<zoneMinute>\d{2})?)?
            /#
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        func number(_ part: Substring?) -> Int { part.flatMap { Int($0) } ?? 0 }
        let (month, day) = (match.month.map { number($0) } ?? 1, match.day.map { number($0) } ?? 1)
        let hour = number(match.hour)
        let (minute, second) = (number(match.minute), number(match.second))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60 else { return nil }
        let days = Self.days(year: number(match.year), month: month, day: day)
        let fraction = match.fraction.flatMap { Double("0." + $0) } ?? 0
        let distance = (number(match.zoneHour) * 60 + number(match.zoneMinute)) * 60
        let ahead = match.sign == "-" ? -distance : distance
        let local = Double(days * 86_400 + hour * 3600 + minute * 60 + second) + fraction
        self.init(Date(timeIntervalSince1970: local - Double(ahead)), secondsFromGMT: ahead)
        precision = match.hour != nil ? .second : match.day != nil ? .day : match.month != nil ? .month : .year
    }

    /// The days from 1970-01-01 to a date of the Gregorian calendar, counted in years that begin in March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndModulus(of: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Division that rounds down, for instants before 1970.
    fileprivate func quotientAndModulus(of divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Duration {
    /// As a number of seconds, for what counts in those.
    package var seconds: Double { self / .seconds(1) }

    /// The seconds as sentences have them: "10", "0.5".
    package var secondsText: String {
        let seconds = seconds
        return Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    }

    /// In milliseconds as poll(2) counts, from 0 on. Rounded up: what waits for a rest of less than one would else ask without waiting.
    package var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = max(.zero, self).components
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        return isTooLong ? .max : Int32(clamping: whole + min(rest, .max - whole))
    }
}

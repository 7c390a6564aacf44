import Foundation

/// What a recorder of the film and broadcast trades says of a WAV file: its `bext` chunk (EBU Tech 3285).
struct BroadcastExtension {
    private(set) var metadata = MovieMetadata()
    /// In words, what it says that only WAV has a place for.
    private(set) var words: [String] = []

    /// - Parameter timeZone: that of the recorder's clock, of which the chunk does not tell.
    init(_ bytes: [UInt8], timeZone: TimeZone = .current) {
        func text(_ offset: Int, _ size: Int) -> String? {
            let field = bytes.dropFirst(offset).prefix(size).prefix { $0 != 0 }
            let text = String(bytes: field, encoding: .utf8) ?? String(bytes: field, encoding: .isoLatin1) ?? ""
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return trimmed.isEmpty ? nil : trimmed
        }
        metadata.comment = text(0, 256)
        metadata.creationDate = Self.date(text(320, 10), text(330, 8), timeZone)
        if text(256, 32) != nil || text(288, 32) != nil { words.append("originator") }
        // In samples from midnight.
        if bytes.dropFirst(338).prefix(8).contains(where: { $0 != 0 }) { words.append("time reference") }
        if text(BroadcastWave.minimumSize, bytes.count) != nil { words.append("coding history") }
    }

    /// "2018-01-09" and "01:23:45"; what separates the numbers is free.
    private static func date(_ day: String?, _ time: String?, _ zone: TimeZone) -> MovieDate? {
        func numbers(_ text: String?) -> [Int] { text?.split { !$0.isNumber }.compactMap { Int($0) } ?? [] }
        let (day, time) = (numbers(day), numbers(time))
        guard day.count == 3, time.count == 3, day[0] > 1900 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = DateComponents(
            year: day[0], month: day[1], day: day[2], hour: time[0], minute: time[1], second: time[2])
        guard parts.isValidDate(in: calendar), let date = calendar.date(from: parts) else { return nil }
        return MovieDate(date, in: zone)
    }
}

package import Errors
package import Foundation

/// A file's name with places for a number and the date: "part-%02d.mov", "%F %H.%M.%S.mov".
///
/// The letters are those of strftime (POSIX), and printf's `%d`, with a width or not, for the number. Where there is another letter of
/// a date, `%d` without a width is the day of the month, as everybody writes it.
package struct FileNameTemplate: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text(String)
        case number(width: Int)
        case date(Character)
    }

    private let pieces: [Piece]

    private static let letters = Set("YymdHMSjF")

    /// - Returns: `nil` if the name has no such place, and no "%%".
    /// - Throws: ``RushesError`` if a letter behind a percent sign means nothing.
    package init?(_ name: String) throws(RushesError) {
        var pieces: [Piece] = []
        var rest = Substring(name)
        while let start = rest.firstIndex(of: "%") {
            if start > rest.startIndex { pieces.append(.text(String(rest[..<start]))) }
            rest = rest[rest.index(after: start)...]
            let width = rest.prefix { $0.isASCII && $0.isNumber }
            guard let letter = rest.dropFirst(width.count).first, letter == "%" || letter.isLetter else {
                pieces.append(.text("%"))
                continue
            }
            rest = rest.dropFirst(width.count + 1)
            switch letter {
            case "%" where width.isEmpty: pieces.append(.text("%"))
            case "d" where !width.isEmpty && width.count <= 2:
                pieces.append(.number(width: min(Int(width) ?? 1, Self.widest)))
            case _ where width.isEmpty && Self.letters.contains(letter): pieces.append(.date(letter))
            default:
                throw RushesError(
                    .invalidSettings,
                    "“%\(width)\(letter)” in the name \(name) means nothing; %02d is the file's number, %F the date, %H.%M.%S the time, and %% a percent sign."
                )
            }
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        guard name.contains("%%") || pieces.contains(where: { if case .text = $0 { false } else { true } }) else {
            return nil
        }
        if !pieces.contains(where: { if case .date(let letter) = $0 { letter != "d" } else { false } }) {
            pieces = pieces.map { $0 == .date("d") ? .number(width: 1) : $0 }
        }
        self.pieces = pieces
    }

    /// Digits of a number at most.
    private static let widest = 9

    package var hasNumber: Bool { pieces.contains { if case .number = $0 { true } else { false } } }

    /// - Parameter number: from 1 on.
    package func name(number: Int, at date: Date, timeZone: TimeZone = .current) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .number(let width): Self.padded(number, width)
            case .date(let letter): Self.text(letter, date, calendar)
            }
        }.joined()
    }

    private static func text(_ letter: Character, _ date: Date, _ calendar: Calendar) -> String {
        func part(_ component: Calendar.Component, _ width: Int) -> String {
            padded(calendar.component(component, from: date), width)
        }
        return switch letter {
        case "F": "\(part(.year, 4))-\(part(.month, 2))-\(part(.day, 2))"
        case "Y": part(.year, 4)
        case "y": padded(calendar.component(.year, from: date) % 100, 2)
        case "m": part(.month, 2)
        case "d": part(.day, 2)
        case "H": part(.hour, 2)
        case "M": part(.minute, 2)
        case "S": part(.second, 2)
        default: padded(calendar.ordinality(of: .day, in: .year, for: date) ?? 1, 3)
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

package import Errors
import FileSystem
package import Foundation
import MovieFiles
import SystemPackage

/// The names of movies that belong together.
extension MovieDestination {
    /// The movie's file with a number, "take-002.mov", for one of several that follow each other; looks whether a name is taken that
    /// has no number.
    ///
    /// - Parameter date: when it begins.
    package func part(_ number: Int, at date: Date = Date()) -> MovieDestination {
        if let names {
            let next = path.removingLastComponent().appending(names.name(number: number, at: date))
            if names.hasNumber || next != path && !next.isTaken {
                return MovieDestination(next, replacesExisting: replacesExisting)
            }
            return MovieDestination(next, replacesExisting: replacesExisting).numbered(number)
        }
        return numbered(number)
    }

    /// "take-002.mov".
    private func numbered(_ number: Int) -> MovieDestination {
        let digits = "\(number)"
        let ending = "-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return MovieDestination(path(ending: ending), replacesExisting: replacesExisting)
    }

    /// One of several files that are made of one movie, "cut-2.mp4": with as many digits as the last one has, so that names sort, and with
    /// its title behind them; where a number stands in the name, "cut-%02d.mp4", with that alone.
    ///
    /// - Parameters:
    ///   - number: from 1 on.
    ///   - count: how many there are.
    /// - Throws: ``RushesError`` if the name means nothing.
    package func separate(_ number: Int, of count: Int, title: String? = nil) throws(RushesError) -> MovieDestination {
        if let name = path.lastComponent?.string, let names = try FileNameTemplate(name), names.hasNumber {
            return MovieDestination(
                path.removingLastComponent().appending(names.name(number: number, at: Date())),
                replacesExisting: replacesExisting)
        }
        let digits = "\(number)"
        let zeros = String(repeating: "0", count: max(0, "\(count)".count - digits.count))
        let words = title.map { Self.plain($0).trimmingCharacters(in: .whitespaces) } ?? ""
        let ending = "-\(zeros)\(digits)" + (words.isEmpty ? "" : " – \(words)")
        return MovieDestination(path(ending: ending), replacesExisting: replacesExisting)
    }

    /// The same for a recording that has waited, and begins now: its date, and where nothing is replaced the first number that is free.
    package func named(at date: Date) -> MovieDestination {
        guard let names, !isContinued, unfinished == nil else { return self }
        let named = MovieDestination(
            names, in: path.removingLastComponent(), at: date, replacesExisting: replacesExisting)
        guard !names.hasNumber, !replacesExisting, named.path.isTaken else { return named }
        // Two in one minute, where the name has no seconds.
        return named.firstFree ?? named
    }

    /// For another recording of the same kind: named by its date and the first number that is free, "take-002.mov" where the name has no
    /// place for either.
    package func following(at date: Date) -> MovieDestination {
        guard names == nil else { return named(at: date) }
        return firstFree ?? self
    }

    /// "take-002.mov", or the first number behind it that is free.
    private var firstFree: MovieDestination? {
        (2...Self.numbers).lazy.map { numbered($0) }.first { !$0.path.isTaken }
    }

    /// The movie of one of several days, "day-2026-11-23.mov".
    package func dated(_ date: String) -> MovieDestination {
        MovieDestination(path(ending: "-\(date)"), replacesExisting: replacesExisting)
    }

    /// A movie beside it with a name of its own, "take – HD Webcam.mov".
    package func beside(_ name: String) -> MovieDestination {
        MovieDestination(path(ending: " – \(Self.plain(name))"), replacesExisting: replacesExisting)
    }

    /// What every file system takes as a part of a name, FAT and network shares too; long ones lose their end.
    package static func plain(_ name: String) -> String {
        let forbidden = Set("/\\:*?\"<>|")
        let plain = name.map { character in
            let isControl = character.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            return isControl || forbidden.contains(character) ? "-" : character
        }
        return String(plain.prefix(longestPlain))
    }

    /// In characters.
    package static let longestPlain = 60

    /// The name with something behind its stem. One that this makes too long for its file system loses the stem's end; whose
    /// the file is can be read all the same.
    func path(ending: String) -> FilePath {
        let name = path.lastComponent?.bytes ?? Array("movie".utf8)
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.endIndex
        let ending = Array(ending.utf8) + (dot < name.endIndex ? Array(name[dot...]) : Array(".mov".utf8))
        let room = max(1, folder.longestName - ending.count)
        var stem = Array(name[..<dot])
        // Whole characters of what is text.
        if stem.count > room, var text = String(validating: stem, as: UTF8.self) {
            while text.utf8.count > room { text.removeLast() }
            stem = Array(text.utf8)
        }
        return path.removingLastComponent().appending(fileBytes: stem.prefix(room) + ending)
    }
}

import ArgumentParser
import FileSystem
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage

/// Chapters in a text file, as people and other programs write them.
///
/// Lines of a time and a title, as under videos on the Web; mkvmerge's simple format, which OGM tools began ("CHAPTER01=", "CHAPTER01NAME=");
/// and ffmpeg's metadata (";FFMETADATA1").
struct ChapterList: Equatable {
    let chapters: [MovieInfo.Chapter]

    /// A line that is none of a chapter.
    struct Misread: Error, Equatable {
        /// From 1.
        let line: Int
        let text: String
    }

    /// - Throws: ``Misread``.
    init(_ text: String) throws {
        // One byte order mark, as editors of Windows write it.
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map {
            Line(number: $0 + 1, text: $1.trimmingCharacters(in: .whitespaces))
        }.filter { !$0.text.isEmpty }
        if lines.first?.text.hasPrefix(";FFMETADATA") == true {
            chapters = try Self.metadata(lines)
        } else if lines.first?.text.wholeMatch(of: /CHAPTER\d+=.*/) != nil {
            chapters = try Self.pairs(lines)
        } else {
            chapters = try lines.map { line in
                guard let match = line.text.wholeMatch(of: /[\[(]?(\d[\d:.]*)[\])]?\s*(?:[-–—|,;]\s*)?(.*)/),
                    let time = TimeSpan(String(match.1)), !match.2.isEmpty
                else { throw line.misread }
                return .init(start: time.time, title: String(match.2))
            }
        }
    }

    private struct Line {
        let number: Int
        let text: String
        var misread: Misread { Misread(line: number, text: text) }
    }

    private static func pairs(_ lines: [Line]) throws -> [MovieInfo.Chapter] {
        var (starts, titles) = ([(number: Substring, start: MediaTime)](), [Substring: String]())
        for line in lines {
            if let match = line.text.wholeMatch(of: /CHAPTER(\d+)NAME=(.*)/) {
                titles[match.1] = String(match.2)
            } else if let match = line.text.wholeMatch(of: /CHAPTER(\d+)=(.*)/), let time = TimeSpan(String(match.2)) {
                starts.append((match.1, time.time))
            } else {
                throw line.misread
            }
        }
        return starts.enumerated().map { index, chapter in
            .init(
                start: chapter.start, title: titles[chapter.number].flatMap { $0.isEmpty ? nil : $0 } ?? "\(index + 1)")
        }
    }

    /// ffmpeg's documentation, "Metadata": times count in TIMEBASE, a nanosecond if it is left out, and a backslash stands before what else
    /// would mean something.
    private static func metadata(_ lines: [Line]) throws -> [MovieInfo.Chapter] {
        var (chapters, isChapter, unit) = ([MovieInfo.Chapter](), false, 1e-9)
        for line in lines where !line.text.hasPrefix(";") && !line.text.hasPrefix("#") {
            if line.text.hasPrefix("[") {
                isChapter = line.text == "[CHAPTER]"
                unit = 1e-9
                if isChapter { chapters.append(.init(start: .zero, title: "\(chapters.count + 1)")) }
                continue
            }
            guard isChapter, let equals = line.text.firstIndex(of: "=") else { continue }
            let value = String(line.text[line.text.index(after: equals)...])
            switch line.text[..<equals].lowercased() {
            case "timebase":
                let parts = value.split(separator: "/").compactMap { Double($0) }
                guard parts.count == 2, parts.allSatisfy({ $0 > 0 && $0 < 1e12 }) else { throw line.misread }
                unit = parts[0] / parts[1]
            case "start":
                guard let count = Double(value), (0..<1e9).contains(count * unit) else { throw line.misread }
                chapters[chapters.count - 1].start = MediaTime(seconds: count * unit)
            case "title":
                chapters[chapters.count - 1].title = value.replacing(/\\(.)/) { String($0.1) }
            default: break
            }
        }
        return chapters
    }
}

extension ChapterList {
    /// In bytes; lists have a few thousand.
    private static let largest = 1 << 20

    /// Blocks.
    ///
    /// - Throws: `ValidationError` for a file that cannot be read or is no list.
    static func read(_ path: FilePath) throws -> [MovieInfo.Chapter] {
        let cure = "write a line for each, such as '1:30 Slides'"
        do {
            let text = String(decoding: try AtomicFile.read(path, limit: largest), as: UTF8.self)
            let chapters = try ChapterList(text).chapters
            guard !chapters.isEmpty else { throw ValidationError("\(path.wireText) has no chapters; \(cure).") }
            return chapters
        } catch let error as Misread {
            let text = Sentence.printable(String(error.text.prefix(60)))
            throw ValidationError("Line \(error.line) of \(path.wireText), '\(text)', is not a chapter; \(cure).")
        } catch let error as Errno {
            throw ValidationError("\(path.wireText) cannot be read: \(error).")
        }
    }
}

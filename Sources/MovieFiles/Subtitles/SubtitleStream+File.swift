package import Errors
import Foundation
import MediaTypes
package import SystemPackage

/// Files of subtitles alone.
extension SubtitleStream {
    /// More than any film's, in bytes.
    private static let maximumSize = 64 << 20

    /// Reads SubRip, WebVTT, SubStation Alpha or Blu-ray's images (SUP), by the file's ending. Blocks.
    ///
    /// - Throws: ``RushesError`` that says what is wrong with the file.
    package init(file path: FilePath) throws(RushesError) {
        let name = path.lastComponent?.string ?? path.string
        let bytes: [UInt8]
        do {
            bytes = try ReadableFile.open(path) { (file) throws(MovieFileError) in
                guard file.size <= UInt64(Self.maximumSize) else {
                    throw .unsupported(reason: "it has more than \(Self.maximumSize >> 20) MiB")
                }
                return try file.read(upTo: Int(file.size), at: 0)
            }
        } catch {
            throw RushesError(.badInput, on: path.string, "\(name) cannot be read: \(error)")
        }
        switch path.extension?.lowercased() {
        case "sup": self.init(.bluray, packets: Self.screens(bytes))
        case "ass", "ssa": self.init(.script, header: Array(Self.text(bytes).utf8), packets: [])
        case "vtt": self.init(.webVTT, packets: Self.cues(Self.text(bytes)))
        default: self.init(.subRip, packets: Self.cues(Self.text(bytes)))
        }
        guard codec == .script ? Self.text(header).contains("[Events]") : !packets.isEmpty else {
            throw RushesError(.badInput, on: path.string, "There are no subtitles in \(name).")
        }
    }

    /// In UTF-8, UTF-16 behind its mark, or as Windows wrote it in the west.
    private static func text(_ bytes: [UInt8]) -> String {
        var encoding = String.Encoding.windowsCP1252
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            encoding = .utf16
        } else if String(validating: bytes, as: UTF8.self) != nil {
            encoding = .utf8
        }
        let text = String(bytes: bytes, encoding: encoding) ?? String(decoding: bytes, as: UTF8.self)
        let plain = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return plain.first == "\u{FEFF}" ? String(plain.dropFirst()) : plain
    }

    /// The texts between lines of times and empty lines.
    private static func cues(_ text: String) -> [Packet] {
        var packets: [Packet] = []
        var current: (begin: MediaTime, end: MediaTime, lines: [Substring])?
        func finish() {
            guard let cue = current, cue.end > cue.begin, !cue.lines.isEmpty else { return }
            packets.append(
                Packet(
                    begin: cue.begin, duration: cue.end - cue.begin, data: Array(cue.lines.joined(separator: "\n").utf8)
                ))
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let (begin, end) = times(line) {
                // The number of this one, where no empty line stands before it.
                if let last = current?.lines.last, last.allSatisfy(\.isNumber), !last.isEmpty {
                    current?.lines.removeLast()
                }
                finish()
                current = (begin, end, [])
            } else if line.allSatisfy(\.isWhitespace) {
                finish()
                current = nil
            } else {
                current?.lines.append(line)
            }
        }
        finish()
        return packets.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
            .map(\.element)
    }

    private static func times(_ line: Substring) -> (begin: MediaTime, end: MediaTime)? {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        func time(_ text: Substring) -> MediaTime? {
            guard let word = text.split(whereSeparator: \.isWhitespace).first else { return nil }
            let parts = word.replacing(",", with: ".").split(separator: ":").map { Double($0) }
            guard (2...3).contains(parts.count), !parts.contains(where: { $0.map { !(0..<1e6).contains($0) } ?? true })
            else {
                return nil
            }
            return MediaTime(seconds: parts.reduce(0) { $0 * 60 + ($1 ?? 0) })
        }
        guard let begin = time(line[..<arrow.lowerBound]), let end = time(line[arrow.upperBound...]) else { return nil }
        return (begin, end)
    }

    /// The segments of a file of Blu-ray's images, each behind its time in 90,000ths of a second.
    private static func screens(_ bytes: [UInt8]) -> [Packet] {
        var (packets, place) = ([Packet](), 0)
        while place + 13 <= bytes.count, bytes[place] == 0x50, bytes[place + 1] == 0x47 {
            let time = bytes[(place + 2)..<(place + 6)].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let length = Int(bytes[place + 11]) << 8 | Int(bytes[place + 12])
            guard place + 13 + length <= bytes.count else { break }
            let begin = MediaTime(nanoseconds: time * 1_000_000 / 90)
            let segment = bytes[(place + 10)..<(place + 13 + length)]
            // What is shown at one time is decoded together.
            if packets.last?.begin == begin {
                packets[packets.count - 1].data += segment
            } else {
                packets.append(Packet(begin: begin, duration: nil, data: Array(segment)))
            }
            place += 13 + length
        }
        return packets
    }
}

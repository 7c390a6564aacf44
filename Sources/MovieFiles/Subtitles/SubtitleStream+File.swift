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
        let bytes = try Self.bytes(of: path)
        switch path.extension?.lowercased() {
        case "sup": self.init(.bluray, packets: Self.screens(bytes))
        case "ass", "ssa": self.init(.script, header: Array(Self.text(bytes).utf8), packets: [])
        case "vtt": self.init(.webVTT, packets: TimedText.all(in: Self.text(bytes)).texts.map(Packet.init))
        default: self.init(.subRip, packets: TimedText.all(in: Self.text(bytes)).texts.map(Packet.init))
        }
        guard codec == .script ? Self.text(header).contains("[Events]") : !packets.isEmpty else {
            throw Self.empty(path)
        }
    }

    /// All of a file.
    ///
    /// - Throws: ``RushesError`` where it cannot be read, or is no file of subtitles by its size.
    static func bytes(of path: FilePath) throws(RushesError) -> [UInt8] {
        do {
            return try ReadableFile.open(path) { (file) throws(MovieFileError) in
                guard file.size <= UInt64(maximumSize) else {
                    throw .unsupported(reason: "it has more than \(maximumSize >> 20) MiB")
                }
                return try file.read(upTo: Int(file.size), at: 0)
            }
        } catch {
            if case .system(_, .noSuchFileOrDirectory) = error {
                throw RushesError(.badInput, on: path.string, "\(path.fileName) does not exist.")
            }
            throw RushesError(.badInput, on: path.string, "\(path.fileName) cannot be read: \(error)")
        }
    }

    static func empty(_ path: FilePath) -> RushesError {
        RushesError(.badInput, on: path.string, "There are no subtitles in \(path.fileName).")
    }

    /// In UTF-8, UTF-16 behind its mark, or as Windows wrote it in the west.
    static func text(_ bytes: [UInt8]) -> String {
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

    /// The segments of a file of Blu-ray's images, each behind its time in 90,000ths of a second.
    static func screens(_ bytes: [UInt8]) -> [Packet] {
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

extension FilePath {
    /// Without its folder.
    var fileName: String { lastComponent?.string ?? string }
}

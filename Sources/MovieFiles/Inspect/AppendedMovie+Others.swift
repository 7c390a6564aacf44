import Foundation
import MediaTypes
package import SystemPackage

extension AppendedMovie {
    /// Of AVI, Ogg, MXF and FLAC.
    ///
    /// - Returns: nil for a file with one movie, and for other kinds of file.
    /// - Throws: `notAFile`, `system`.
    package init?(readingOther path: FilePath) throws(MovieFileError) {
        if let other = try AppendedMovie(readingAVI: path) {
            self = other
        } else if let chain = try OggChain(reading: path) {
            self = chain.appended
        } else if let other = try MXFScan(reading: path)?.appended {
            self = other
        } else if let other = try AppendedMovie(readingFLAC: path) {
            self = other
        } else {
            return nil
        }
    }

    /// Files of FLAC behind the first, by the head that each begins with (RFC 9639, sections 6 and 8.2).
    ///
    /// - Returns: nil for a file with one, and for other kinds of file.
    /// - Throws: `notAFile`, `system`.
    package init?(readingFLAC path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try AppendedMovie(flac: file) }
        guard let found else { return nil }
        self = found
    }

    private init?(flac file: ReadableFile) throws(MovieFileError) {
        let head = Array("fLaC".utf8)
        guard try file.read(upTo: head.count, at: 0) == head else { return nil }
        var (position, begin, durations): (UInt64, UInt64?, [Double?]) = (UInt64(head.count), nil, [])
        while position < file.size {
            let piece = try file.read(upTo: Self.pieceSize, at: position)
            guard piece.count > FLACStreamInfo.place + FLACStreamInfo.size else { break }
            for index in Self.places(of: head, in: piece) {
                let place = position + UInt64(index)
                let info = try file.read(upTo: FLACStreamInfo.place + FLACStreamInfo.size, at: place)
                if info.count == FLACStreamInfo.place + FLACStreamInfo.size, info[4] & 0x7F == 0,
                    info[5..<8].elementsEqual([0, 0, UInt8(FLACStreamInfo.size)])
                {
                    begin = begin ?? place
                    durations.append(FLACStreamInfo.duration(info)?.seconds)
                }
            }
            position += UInt64(piece.count - head.count + 1)
        }
        guard let begin else { return nil }
        self.init(from: begin, to: file.size, lasting: durations)
    }

    private static let pieceSize = 1 << 20

    private static func places(of word: [UInt8], in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var (places, begin): ([Int], Int) = ([], 0)
            while begin + word.count <= bytes.count,
                let found = memchr(base + begin, Int32(word[0]), bytes.count - word.count + 1 - begin)
            {
                let place = UnsafeRawPointer(found) - base
                if memcmp(found, word, word.count) == 0 { places.append(place) }
                begin = place + 1
            }
            return places
        }
    }
}

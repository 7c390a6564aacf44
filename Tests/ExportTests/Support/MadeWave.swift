import Foundation

/// WAV files with chunks that ffmpeg does not write.
enum MadeWave {
    static func number(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) }
    }

    /// A WAV file with chunks behind its last.
    static func bytes(of file: Data, followedBy chunks: [(String, Data)]) -> Data {
        var bytes = file
        for (name, content) in chunks {
            bytes += Data(name.utf8) + number(content.count) + content
            if content.count % 2 == 1 { bytes.append(0) }
        }
        bytes.replaceSubrange(4..<8, with: number(bytes.count - 8))
        return bytes
    }

    /// What a chunk of a WAV file holds; nil where it has none of that name.
    static func chunk(_ name: String, of file: Data) -> Data? {
        var place = 12
        while place + 8 <= file.count {
            let size = file[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            let content = place + 8..<min(place + 8 + size, file.count)
            if file[place..<place + 4].elementsEqual(name.utf8) { return Data(file[content]) }
            place += 8 + size + size % 2
        }
        return nil
    }
}

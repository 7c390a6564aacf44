package import MediaTypes
package import SystemPackage

/// WAV whose samples are compressed in blocks of the same size: ADPCM, Microsoft's and IMA's (Microsoft, "Multimedia Data Standards
/// Update"). How long it lasts follows from the blocks; what its head says of bytes a second is often wrong.
package struct BlockedWave: Sendable, Hashable {
    /// Of the audio.
    package let duration: MediaTime

    private static let formats: Set<UInt16> = [0x0002, 0x0011]
    /// What is read of `fmt `; chunks before the audio are few.
    private static let (formatSize, mostChunks) = (20, 1000)

    /// - Returns: nil for any other file.
    package init?(reading path: FilePath) {
        let duration = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try Self.duration(of: file) }
        guard let duration = duration ?? nil else { return nil }
        self.duration = duration
    }

    private static func duration(of file: ReadableFile) throws(MovieFileError) -> MediaTime? {
        let head = try file.read(upTo: 12, at: 0)
        guard head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WAVE".utf8) else { return nil }
        var (place, format, told) = (UInt64(12), [UInt8](), nil as UInt64?)
        for _ in 0..<mostChunks {
            let chunk = try file.read(upTo: 8, at: place)
            guard chunk.count == 8 else { return nil }
            let (name, size) = (String(decoding: chunk.prefix(4), as: UTF8.self), number(chunk, 4, 4))
            switch name {
            case "fmt ":
                format = try file.read(upTo: min(formatSize, Int(size)), at: place + 8)
                guard format.count == formatSize, formats.contains(UInt16(number(format, 0, 2))) else { return nil }
            case "fact": told = number(try file.read(upTo: 4, at: place + 8), 0, 4)
            case "data":
                let (rate, block) = (number(format, 4, 4), number(format, 12, 2))
                guard rate > 0, block > 0 else { return nil }
                let length = min(size, file.size - min(file.size, place + 8))
                let most = length / block * number(format, 18, 2)
                // The last block may be filled up.
                let samples = told.flatMap { $0 > 0 && $0 < most ? $0 : nil } ?? most
                return MediaTime(seconds: Double(samples) / Double(rate))
            default: break
            }
            place += 8 + size + size % 2
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
        bytes.dropFirst(place).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

package import MediaTypes
package import SystemPackage

/// WAV whose samples are compressed in blocks of the same size: ADPCM, Microsoft's and IMA's (Microsoft, "Multimedia Data Standards
/// Update"). How long it lasts follows from the blocks; what its head says of bytes a second is often wrong.
package struct BlockedWave: Sendable, Hashable {
    /// Of the audio.
    package let duration: MediaTime

    private static let formats: Set<UInt16> = [0x0002, 0x0011]
    /// What is read of `fmt `.
    private static let formatSize = 20

    /// - Returns: nil for any other file.
    package init?(reading path: FilePath) {
        let duration = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try Self.duration(of: file) }
        guard let duration = duration ?? nil else { return nil }
        self.duration = duration
    }

    private static func duration(of file: ReadableFile) throws(MovieFileError) -> MediaTime? {
        guard var chunks = try WaveChunks(file) else { return nil }
        var (format, told) = ([UInt8](), nil as UInt64?)
        while let chunk = try chunks.next() {
            switch chunk.name {
            case "fmt ":
                format = try chunks.content(of: chunk, atMost: formatSize)
                guard format.count == formatSize, formats.contains(UInt16(WaveChunks.number(format, 0, 2))) else {
                    return nil
                }
            case "fact": told = WaveChunks.number(try chunks.content(of: chunk, atMost: 4), 0, 4)
            case "data":
                let (rate, block) = (WaveChunks.number(format, 4, 4), WaveChunks.number(format, 12, 2))
                guard rate > 0, block > 0 else { return nil }
                let length = min(chunk.size, file.size - min(file.size, chunk.place))
                let (most, isTooLong) = (length / block).multipliedReportingOverflow(
                    by: WaveChunks.number(format, 18, 2))
                guard !isTooLong else { return nil }
                // The last block may be filled up.
                let samples = told.flatMap { $0 > 0 && $0 < most ? $0 : nil } ?? most
                return MediaTime(seconds: Double(samples) / Double(rate))
            default: break
            }
        }
        return nil
    }
}

import MediaTypes
package import SystemPackage

/// The named places of a WAV file: cue points with labels (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0"), as
/// ``WaveLayout`` writes them.
package enum WaveCues {
    /// Of a chunk of cue points or labels.
    private static let maximumSize = 4 << 20

    /// Reads a file's places; empty where it has none with names. Blocks.
    ///
    /// - Throws: `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> [MovieInfo.Chapter] {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try points(file) }
        guard found.rate > 0 else { return [] }
        return found.cues.compactMap { cue, sample in
            found.labels[cue].map { .init(start: MediaTime(seconds: Double(sample) / Double(found.rate)), title: $0) }
        }.sorted { $0.start < $1.start }
    }

    /// Whether a file has places without names, as recorders mark them; one at its beginning marks nothing. Blocks.
    ///
    /// - Throws: `system`.
    package static func haveUnnamed(_ path: FilePath) throws(MovieFileError) -> Bool {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try points(file) }
        return found.cues.contains { $0.value > 0 && found.labels[$0.key] == nil }
    }

    private struct Points {
        /// Samples a second.
        var rate: UInt64 = 0
        /// By their identifiers, in samples.
        var cues: [UInt64: UInt64] = [:]
        var labels: [UInt64: String] = [:]
    }

    private static func points(_ file: ReadableFile) throws(MovieFileError) -> Points {
        var found = Points()
        guard var chunks = try WaveChunks(file) else { return found }
        while let chunk = try chunks.next() {
            switch chunk.name {
            case "fmt ": found.rate = WaveChunks.number(try chunks.content(of: chunk, atMost: 8), 4, 4)
            case "cue ": read(cues: try chunks.content(of: chunk, atMost: maximumSize)[...], into: &found.cues)
            case "LIST", "list":
                read(labels: try chunks.content(of: chunk, atMost: maximumSize)[...], into: &found.labels)
            default: break
            }
        }
        return found
    }

    /// Points of 24 bytes: the identifier first, the sample last.
    private static func read(cues bytes: ArraySlice<UInt8>, into cues: inout [UInt64: UInt64]) {
        var rest = bytes.dropFirst(4)
        while rest.count >= 24 {
            cues[WaveChunks.number(rest, 0, 4)] = WaveChunks.number(rest, 20, 4)
            rest = rest.dropFirst(24)
        }
    }

    private static func read(labels bytes: ArraySlice<UInt8>, into labels: inout [UInt64: String]) {
        guard bytes.starts(with: "adtl".utf8) else { return }
        var rest = bytes.dropFirst(4)
        while rest.count >= 12 {
            let size = Int(WaveChunks.number(rest, 4, 4))
            let content = rest.dropFirst(8).prefix(size)
            if rest.starts(with: "labl".utf8), content.count == size, size > 4 {
                labels[WaveChunks.number(content, 0, 4)] = String(
                    decoding: content.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
            }
            rest = rest.dropFirst(8 + size + size % 2)
        }
    }
}

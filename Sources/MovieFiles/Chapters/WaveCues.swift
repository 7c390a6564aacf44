import MediaTypes
package import SystemPackage

/// The named places of a WAV file: cue points with labels (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0"), as
/// ``WaveLayout`` writes them.
package enum WaveCues {
    /// Of a chunk of cue points or labels.
    private static let maximumSize = 4 << 20
    private static let mostChunks = 1000

    /// Reads a file's places; empty where it has none with names. Blocks.
    ///
    /// - Throws: `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> [MovieInfo.Chapter] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in try chapters(file) }
    }

    private static func chapters(_ file: ReadableFile) throws(MovieFileError) -> [MovieInfo.Chapter] {
        let head = try file.read(upTo: 12, at: 0)
        guard ["RIFF", "RF64"].contains(where: { head.starts(with: $0.utf8) }),
            head.dropFirst(8).elementsEqual("WAVE".utf8)
        else { return [] }
        var (place, rate, longSize): (UInt64, UInt64, UInt64?) = (12, 0, nil)
        var (cues, labels): ([UInt64: UInt64], [UInt64: String]) = ([:], [:])
        for _ in 0..<mostChunks {
            let chunk = try file.read(upTo: 8, at: place)
            guard chunk.count == 8 else { break }
            let name = String(decoding: chunk.prefix(4), as: UTF8.self)
            var size = number(chunk[4...].prefix(4))
            if name == "data", size == 0xFFFF_FFFF, let longSize { size = longSize }
            func content(_ most: Int) throws(MovieFileError) -> ArraySlice<UInt8> {
                try file.read(upTo: min(most, Int(clamping: size)), at: place + 8)[...]
            }
            switch name {
            case "ds64": longSize = number(try content(16).dropFirst(8))
            case "fmt ": rate = number(try content(8).dropFirst(4))
            case "cue ": read(cues: try content(maximumSize), into: &cues)
            case "LIST": read(labels: try content(maximumSize), into: &labels)
            default: break
            }
            let (next, isTooFar) = place.addingReportingOverflow(8 + min(size, 1 << 62) + size % 2)
            guard !isTooFar else { break }
            place = next
        }
        guard rate > 0 else { return [] }
        return cues.compactMap { cue, sample in
            labels[cue].map { .init(start: MediaTime(seconds: Double(sample) / Double(rate)), title: $0) }
        }.sorted { $0.start < $1.start }
    }

    /// Points of 24 bytes: the identifier first, the sample last.
    private static func read(cues bytes: ArraySlice<UInt8>, into cues: inout [UInt64: UInt64]) {
        var rest = bytes.dropFirst(4)
        while rest.count >= 24 {
            cues[number(rest.prefix(4))] = number(rest.dropFirst(20).prefix(4))
            rest = rest.dropFirst(24)
        }
    }

    private static func read(labels bytes: ArraySlice<UInt8>, into labels: inout [UInt64: String]) {
        guard bytes.starts(with: "adtl".utf8) else { return }
        var rest = bytes.dropFirst(4)
        while rest.count >= 12 {
            let size = Int(number(rest.dropFirst(4).prefix(4)))
            let content = rest.dropFirst(8).prefix(size)
            if rest.starts(with: "labl".utf8), content.count == size, size > 4 {
                labels[number(content.prefix(4))] = String(
                    decoding: content.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
            }
            rest = rest.dropFirst(8 + size + size % 2)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

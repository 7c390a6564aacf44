/// The sums over a track's samples that a description needs.
struct TrackStatistics: Sendable {
    var sampleCount = 0
    /// In the track's timescale.
    var mediaDuration: UInt64 = 0
    /// In bytes.
    var size: UInt64 = 0
    /// Where the last sample ends in the file, as far as it can be told without much work.
    var end: UInt64 = 0

    init(_ track: FragmentedTrack) {
        sampleCount = track.samples.count
        mediaDuration = track.samples.duration
        size = track.samples.sizes.total
    }

    /// Sums up the sample tables of an ordinary movie.
    init(_ stbl: Box) throws(MovieFileError) {
        if let stts = stbl["stts"] { (sampleCount, mediaDuration) = try Self.times(stts) }
        size = try Self.totalSize(stbl, sampleCount: sampleCount)
        end = try Self.lastChunkOffset(stbl)
    }

    private static func times(_ stts: Box) throws(MovieFileError) -> (count: Int, duration: UInt64) {
        var reader = ByteReader(stts)
        try reader.skip(4)
        let entries = Int(try reader.read(UInt32.self))
        let table = try reader.readTable(entries * 2, of: UInt32.self)
        var count = 0
        var duration: UInt64 = 0
        for index in stride(from: 0, to: table.count, by: 2) {
            count += Int(table[index])
            let each = UInt64(SampleTable.duration(table[index + 1]))
            let (sum, overflow) = duration.addingReportingOverflow(UInt64(table[index]) * each)
            guard !overflow else { throw reader.error("its samples last longer than any movie can") }
            duration = sum
        }
        return (count, duration)
    }

    private static func totalSize(_ stbl: Box, sampleCount: Int) throws(MovieFileError) -> UInt64 {
        guard let stsz = stbl["stsz"] else { return 0 }
        var reader = ByteReader(stsz)
        try reader.skip(4)
        let constant: UInt32 = try reader.read()
        let count: UInt32 = try reader.read()
        if constant > 0 { return UInt64(constant) * UInt64(count) }
        return try reader.readTable(Int(count), of: UInt32.self).reduce(0) { $0 + UInt64($1) }
    }

    private static func lastChunkOffset(_ stbl: Box) throws(MovieFileError) -> UInt64 {
        guard stbl["stco"] != nil || stbl["co64"] != nil else { return 0 }
        return try SampleLocations.chunkOffsets(stbl).max() ?? 0
    }
}

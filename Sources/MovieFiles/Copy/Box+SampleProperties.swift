extension Box {
    /// Cuts what an `stbl` says of single samples to a part of them (ISO/IEC 14496-12 sections 8.6.4, 8.9; QuickTime's
    /// `stps`). What is only advice, and would have to be computed anew, goes.
    mutating func keepSampleProperties(of samples: Range<Int>) throws(MovieFileError) {
        let advice: Set<FourCC> = ["cslg", "stsh", "padb", "stdp", "subs"]
        removeChildren { advice.contains($0.type) }
        try editAll("sdtp") { (box: inout Box) in
            box.payload = box.payload.prefix(4) + box.payload.dropFirst(4 + samples.lowerBound).prefix(samples.count)
        }
        try editAll("stps") { (box: inout Box) throws(MovieFileError) in try box.keepNumbers(of: samples) }
        try editAll("sbgp") { (box: inout Box) throws(MovieFileError) in try box.keepGroups(of: samples) }
    }

    /// Numbers of samples from 1, as in `stss`.
    private mutating func keepNumbers(of samples: Range<Int>) throws(MovieFileError) {
        var reader = ByteReader(self)
        try reader.skip(4)
        let numbers = try reader.readTable(Int(try reader.read(UInt32.self)), of: UInt32.self)
        let kept = numbers.filter { samples.contains(Int($0) - 1) }
        self = try Box(full: type) { (writer: inout ByteWriter) in
            writer.append(UInt32(truncatingIfNeeded: kept.count))
            writer.append(table: kept.map { $0 - UInt32(truncatingIfNeeded: samples.lowerBound) })
        }
    }

    /// Runs of samples that belong to the same group.
    private mutating func keepGroups(of samples: Range<Int>) throws(MovieFileError) {
        var reader = ByteReader(self)
        let version = try reader.readVersionAndFlags().version
        let kind = try reader.readBytes(version == 1 ? 8 : 4)
        let table = try reader.readTable(Int(try reader.read(UInt32.self)) * 2, of: UInt32.self)
        var kept = RunLengthArray<UInt32>()
        var start = 0
        for index in stride(from: 0, to: table.count, by: 2) {
            let end = start + Int(table[index])
            kept.append(table[index + 1], count: (start..<end).clamped(to: samples).count)
            start = end
        }
        self = try Box(full: type, version: version) { (writer: inout ByteWriter) in
            writer.append(contentsOf: kind)
            writer.append(UInt32(truncatingIfNeeded: kept.runs.count))
            writer.append(table: kept.runs.flatMap { [UInt32(truncatingIfNeeded: $0.count), $0.value] })
        }
    }
}

/// The flags of `trun` (ISO/IEC 14496-12 section 8.8.8).
private struct TrackRunFlags: OptionSet {
    var rawValue: UInt32
    static let dataOffset = Self(rawValue: 0x1)
    static let firstSampleFlags = Self(rawValue: 0x4)
    static let duration = Self(rawValue: 0x100)
    static let size = Self(rawValue: 0x200)
    static let flags = Self(rawValue: 0x400)
    static let compositionOffset = Self(rawValue: 0x800)
}

extension TrackFragment.Run {
    /// More samples than an hour of anything has; a run that needs no bytes for each could otherwise claim billions.
    private static let maximumCount = 16_777_216
    /// Samples without a byte need none in the fragment either, so nothing else tells how many are made up.
    private static let maximumEmptyCount = 65_536

    /// Reads a `trun`.
    ///
    /// - Parameters:
    ///   - base: what its own data offset counts from, in the file.
    ///   - position: where its data lies if it has no such offset.
    init(
        _ trun: Box, base: UInt64, position: UInt64, defaults: FragmentDefaults
    ) throws(MovieFileError) {
        var reader = ByteReader(trun)
        let flags = TrackRunFlags(rawValue: try reader.readVersionAndFlags().flags)
        let count = Int(try reader.read(UInt32.self))
        offset = position
        if flags.contains(.dataOffset) {
            let distance = Int64(try reader.read(Int32.self))
            let (sum, overflow) = Int64(clamping: base).addingReportingOverflow(distance)
            guard !overflow, sum >= 0 else { throw reader.error("its data would begin before the file") }
            offset = UInt64(sum)
        }
        let firstFlags = flags.contains(.firstSampleFlags) ? try reader.read(UInt32.self) : defaults.flags

        let perSample: [TrackRunFlags] = [.duration, .size, .flags, .compositionOffset]
        let fields = perSample.filter { flags.contains($0) }.count
        guard count <= Self.maximumCount, count * fields * 4 <= reader.remaining.count else {
            throw reader.error("it claims \(count) samples, more than it can hold")
        }
        guard fields > 0 else {
            guard defaults.size > 0 || count <= Self.maximumEmptyCount else {
                throw reader.error("it claims \(count) samples without a byte")
            }
            samples = FragmentSample.equal(defaults, firstFlags: firstFlags, count: count)
            return
        }
        samples = []
        samples.reserveCapacity(count)
        for index in 0..<count {
            var sample = defaults
            if index == 0 { sample.flags = firstFlags }
            if flags.contains(.duration) { sample.duration = try reader.read() }
            if flags.contains(.size) { sample.size = try reader.read() }
            if flags.contains(.flags) { sample.flags = try reader.read() }
            let compositionOffset: Int32 = flags.contains(.compositionOffset) ? try reader.read() : 0
            samples.append(FragmentSample(sample, compositionOffset: compositionOffset))
        }
    }

    /// Where the data of this run ends in the file.
    func end(_ trun: Box) throws(MovieFileError) -> UInt64 {
        var end = offset
        for sample in samples {
            let (size, isTooLarge) = UInt64(sample.size).multipliedReportingOverflow(by: UInt64(sample.count))
            let (sum, overflow) = end.addingReportingOverflow(size)
            guard !isTooLarge, !overflow, sum <= UInt64(Int64.max) else {
                throw .invalidBox(trun.type, offset: trun.fileOffset, reason: "its data would end beyond any file")
            }
            end = sum
        }
        return end
    }
}

extension FragmentSample {
    /// `sample_is_non_sync_sample` of a sample's flags (ISO/IEC 14496-12 section 8.8.3.1).
    private static let isNonSync: UInt32 = 0x1_0000

    fileprivate init(_ values: FragmentDefaults, compositionOffset: Int32 = 0, count: Int = 1) {
        self.init(
            duration: values.duration, size: values.size, isSync: values.flags & Self.isNonSync == 0,
            compositionOffset: compositionOffset, count: count)
    }

    /// Samples that all are as the defaults say, but for the flags of the first one.
    fileprivate static func equal(
        _ defaults: FragmentDefaults, firstFlags: UInt32, count: Int
    ) -> [FragmentSample] {
        guard count > 0 else { return [] }
        var first = defaults
        first.flags = firstFlags
        guard count > 1 else { return [FragmentSample(first)] }
        return [FragmentSample(first), FragmentSample(defaults, count: count - 1)]
    }
}

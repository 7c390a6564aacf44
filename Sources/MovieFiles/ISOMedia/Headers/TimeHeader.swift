import MediaTypes

/// The times that begin `mvhd` and `mdhd` alike (ISO/IEC 14496-12 sections 8.2.2 and 8.4.2).
struct TimeHeader: Sendable {
    var version: UInt8
    /// Seconds since 1904-01-01 00:00 UTC.
    var creationTime: UInt64
    /// Ticks in a second; never 0.
    var timescale: UInt32
    /// In ticks.
    var duration: UInt64

    init(_ box: Box) throws(MovieFileError) {
        var reader = ByteReader(box)
        version = try reader.readVersionAndFlags().version
        creationTime = try reader.readTime(version: version)
        _ = try reader.readTime(version: version)
        timescale = try reader.read()
        duration = try reader.readTime(version: version)
        guard timescale > 0 else { throw reader.error("its timescale is 0") }
        // All ones means "not known".
        if version == 0, duration == UInt64(UInt32.max) { duration = 0 }
        if version == 1, duration == UInt64.max { duration = 0 }
    }
}

extension TimeHeader {
    /// Where the matrix lies in the payload of `mvhd`.
    static func movieMatrixOffset(version: UInt8) -> Int {
        version == 1 ? 48 : 36
    }
}

extension Box {
    /// Sets the duration of a `mvhd`, `mdhd` or `tkhd`, and widens its times to 64 bits where that is needed.
    ///
    /// `fieldsBetween` bytes lie between the two times that begin each of these boxes and the duration.
    mutating func setDuration(_ duration: UInt64) throws(MovieFileError) {
        let fieldsBetween = type == "tkhd" ? 8 : 4
        var reader = ByteReader(self)
        let (version, flags) = try reader.readVersionAndFlags()
        let creation = try reader.readTime(version: version)
        let modification = try reader.readTime(version: version)
        let between = try reader.readBytes(fieldsBetween)
        _ = try reader.readTime(version: version)
        let rest = reader.remaining
        // All ones would mean "not known".
        let isWide = version == 1 || duration >= UInt64(UInt32.max)
        var writer = ByteWriter()
        writer.append(UInt32(isWide ? 1 : 0) << 24 | flags)
        writer.append(time: creation, isWide: isWide)
        writer.append(time: modification, isWide: isWide)
        writer.append(contentsOf: between)
        writer.append(time: duration, isWide: isWide)
        writer.append(contentsOf: rest)
        payload = writer.bytes[...]
    }

    /// Sets the creation and modification time of a `mvhd`, `mdhd` or `tkhd`, in seconds since 1904 UTC.
    mutating func setCreationTime(_ seconds: UInt64) throws(MovieFileError) {
        var reader = ByteReader(self)
        let version = try reader.readVersionAndFlags().version
        var writer = ByteWriter()
        // 32 bits last until 2040; a later date in an old box stays the last one that it can hold.
        let isWide = version == 1
        let seconds = isWide ? seconds : min(seconds, UInt64(UInt32.max))
        writer.append(time: seconds, isWide: isWide)
        writer.append(time: seconds, isWide: isWide)
        try overwritePayload(at: 4, with: writer.bytes)
    }
}

extension Box {
    /// Gives a `mdhd` a timescale where it has none.
    mutating func replaceZeroTimescale(with timescale: UInt32) throws(MovieFileError) {
        guard try self.timescale().ticks == 0 else { return }
        try setTimescale(timescale)
    }

    /// Sets the timescale of a `mvhd` or `mdhd`; its duration stays the number that it is.
    mutating func setTimescale(_ timescale: UInt32) throws(MovieFileError) {
        var writer = ByteWriter()
        writer.append(timescale)
        try overwritePayload(at: try self.timescale().offset, with: writer.bytes)
    }

    /// The timescale as it is written, and where it lies in the payload.
    private func timescale() throws(MovieFileError) -> (ticks: UInt32, offset: Int) {
        var reader = ByteReader(self)
        let version = try reader.readVersionAndFlags().version
        _ = try (reader.readTime(version: version), reader.readTime(version: version))
        let offset = payload.count - reader.remaining.count
        return (try reader.read(), offset)
    }
}

extension ByteWriter {
    /// Appends a time field: 64 bits, or 32 where the caller has checked that they are enough.
    mutating func append(time: UInt64, isWide: Bool) {
        if isWide { append(time) } else { append(UInt32(truncatingIfNeeded: time)) }
    }
}

extension Box {
    /// An `mvhd` of a movie of no length yet (ISO/IEC 14496-12 section 8.2.2).
    static func movieHeader(timescale: UInt32, nextTrackID: UInt32) throws(MovieFileError) -> Box {
        try Box(full: "mvhd") { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(timescale)
            writer.append(UInt32(0))
            // Played as fast as it is, at full volume.
            writer.append(UInt32(0x1_0000))
            writer.append(UInt16(0x100))
            writer.append(contentsOf: repeatElement(0, count: 10))
            writer.append(contentsOf: TransformationMatrix(.upright, width: 0, height: 0).bytes)
            writer.append(contentsOf: repeatElement(0, count: 24))
            writer.append(nextTrackID)
        }
    }
}

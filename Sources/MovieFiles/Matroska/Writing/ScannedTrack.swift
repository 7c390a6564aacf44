/// What a scan of a Matroska file has found of one track.
struct ScannedTrack: Sendable {
    let number: UInt64
    let isVideo: Bool
    private(set) var count = 0
    /// Where its last frame ends, in the segment's ticks.
    private(set) var end: Int64 = 0
    /// When its earliest frame is shown, in the segment's ticks, where that is before 0; otherwise 0.
    private(set) var begin: Int64 = 0
    /// How long a frame lasts, in the segment's ticks, as far as the track says.
    private let defaultDuration: Double?
    /// What a damaged file tells of a block is cut to, in the segment's ticks; so long can be added to any time that is read.
    private static let maximumLength = Double(MatroskaSegment.maximumTime)
    private var lastTime: Int64?
    private var lastStep: Int64 = 0

    /// nil for what is neither video nor audio.
    init?(_ entry: Elements, scale: UInt64?) {
        guard let number = entry.unsigned(.trackNumber), let kind = entry.unsigned(.trackType), kind == 1 || kind == 2
        else { return nil }
        self.number = number
        isVideo = kind == 1
        defaultDuration = entry.unsigned(.defaultDuration).map { Double($0) / Double(scale ?? 1_000_000) }
    }

    /// - Parameter time: when it is shown, in the segment's ticks: behind what came before, where the file's times begin again.
    mutating func add(_ block: ScannedBlock, at time: Int64) {
        count += block.frames
        begin = min(begin, time)
        if let lastTime, time > lastTime { lastStep = time - lastTime }
        lastTime = time
        let length = block.duration.map(Double.init) ?? defaultDuration.map { $0 * Double(block.frames) }
        end = max(end, time + Int64(min(length ?? Double(lastStep), Self.maximumLength).rounded()))
    }
}

/// A block as its head tells: whose it is and when its first frame is shown.
struct ScannedBlock: Sendable {
    let track: UInt64
    /// In the segment's ticks.
    var time: Int64
    /// Where it begins and ends in the file, with the group that it is in.
    let (place, end): (UInt64, UInt64)
    var isKey: Bool
    let frames: Int
    /// In the segment's ticks, where its group says it.
    var duration: Int64?
    /// From the first byte of the cluster's data; nil where it lies in a group.
    var offset: UInt64?

    init?(_ head: ArraySlice<UInt8>, at place: UInt64, end: UInt64) {
        guard let (number, length) = head.variableSizeNumber, let number, head.count >= length + 3 else { return nil }
        let rest = Array(head.dropFirst(length))
        track = number
        time = Int64(Int16(truncatingIfNeeded: UInt16(rest[0]) << 8 | UInt16(rest[1])))
        isKey = rest[2] & 0x80 != 0
        frames = rest[2] & 0x06 != 0 && rest.count > 3 ? Int(rest[3]) + 1 : 1
        (self.place, self.end) = (place, end)
    }
}

/// A cluster, and whether a player can begin with it.
struct ScannedCluster: Sendable {
    let offset: UInt64
    let dataOffset: UInt64
    /// Where it says that it ends; nil where it does not.
    let end: UInt64?
    /// In the segment's ticks.
    var time: Int64 = 0
    /// Of the first frame in it that a player can begin with.
    private(set) var entry: (time: Int64, track: UInt64, offset: UInt64?)?

    init(_ header: ElementHeader) {
        (offset, dataOffset, end) = (header.offset, header.dataOffset, header.end)
    }

    mutating func add(_ block: ScannedBlock, isLead: Bool) {
        if entry == nil, isLead, block.isKey { entry = (block.time, block.track, block.offset) }
    }
}

/// What a segment says of itself, and where it says how long it is.
struct MatroskaInfo: Sendable {
    /// Nanoseconds in a tick.
    let timestampScale: UInt64
    /// Where the number of its duration lies in the file, and how many bytes it has.
    let duration: Range<UInt64>?
    /// What its checksum is of, from the first byte behind that on, where it has one (RFC 8794 section 11.3.1).
    private let checked: (data: [UInt8], offset: UInt64)?

    init(_ data: ArraySlice<UInt8>, at offset: UInt64) throws(MovieFileError) {
        let elements = try Elements(data)
        let sum = elements.place(of: .crc32).flatMap { $0 == 2..<6 ? Int($0.upperBound) : nil }
        checked = sum.map { (Array(data.dropFirst($0)), offset + UInt64($0)) }
        let scale = elements.unsigned(.timestampScale) ?? 1_000_000
        guard (1...1_000_000_000).contains(scale) else { throw MatroskaSegment.damage(offset) }
        timestampScale = scale
        duration = elements.place(of: .duration).map { offset + $0.lowerBound..<offset + $0.upperBound }
    }
    /// What tells another length: bytes, and where they go.
    ///
    /// - Parameter ticks: how long it lasts.
    func patches(lasting ticks: Double) -> [(offset: UInt64, bytes: [UInt8])] {
        guard let duration else { return [] }
        var writer = EBMLWriter()
        writer.append(
            duration.count == 8 ? ticks.bitPattern : UInt64(Float(ticks).bitPattern), length: duration.count)
        let length = (offset: duration.lowerBound, bytes: writer.bytes)
        guard let checked, duration.lowerBound >= checked.offset else { return [length] }
        var data = checked.data
        let place = Int(duration.lowerBound - checked.offset)
        data.replaceSubrange(place..<place + duration.count, with: writer.bytes)
        var sum: [UInt8] = []
        sum.append(little: Zlib.checksum(of: data))
        return [length, (checked.offset - UInt64(sum.count), sum)]
    }
}

/// Which part of a track's media is shown when (ISO/IEC 14496-12 section 8.6.6, QuickTime's edit list).
struct EditList: Sendable, Equatable {
    struct Edit: Sendable, Equatable {
        /// How long this part of the presentation lasts, in the movie's timescale; 0 in a fragmented movie: all of it.
        var duration: UInt64
        /// The media time that it begins at, in the track's timescale; nil where nothing is shown.
        var mediaTime: UInt64?
    }

    var edits: [Edit]

    /// Where the 32-bit `media_time` of an edit lies in the payload of an `elst` of version 0.
    static func mediaTimeOffset(ofEdit index: Int) -> Int { 4 + 4 + 12 * index + 4 }

    /// The list as an `edts` box.
    func box() throws(MovieFileError) -> Box {
        let isWide = edits.contains { $0.duration > UInt64(UInt32.max) || ($0.mediaTime ?? 0) > UInt64(Int32.max) }
        let list = try Box(full: "elst", version: isWide ? 1 : 0) { (writer: inout ByteWriter) in
            writer.append(UInt32(truncatingIfNeeded: edits.count))
            for edit in edits {
                writer.append(time: edit.duration, isWide: isWide)
                writer.append(time: edit.mediaTime ?? .max, isWide: isWide)
                writer.append(UInt32(0x1_0000))
            }
        }
        return Box("edts", children: [list])
    }

    init(edits: [Edit]) {
        self.edits = edits
    }

    /// - Parameter exact: with lengths in the track's ticks. Ends are rounded to those of the movie, so that nothing adds up.
    init(
        exact: [(mediaTime: UInt64?, length: UInt64)], timescale: UInt32, movieTimescale: UInt32
    ) throws(MovieFileError) {
        edits = []
        var (position, shown): (UInt64, UInt64) = (0, 0)
        for edit in exact {
            position += edit.length
            let end = try position.rescaled(from: timescale, to: movieTimescale)
            edits.append(Edit(duration: end - shown, mediaTime: edit.mediaTime))
            shown = end
        }
    }

    /// How long all of it lasts, in the movie's timescale.
    var duration: UInt64 { edits.reduce(0) { $0 + $1.duration } }

    /// Whether all edits of an `elst` play the media as fast as it is, which the others cannot tell from these.
    static func areAtNormalSpeed(_ elst: Box) throws(MovieFileError) -> Bool {
        var reader = ByteReader(elst)
        let version = try reader.readVersionAndFlags().version
        let count = try reader.read(UInt32.self)
        for _ in 0..<count {
            try reader.skip(version == 1 ? 16 : 8)
            if try reader.read(UInt32.self) != 0x1_0000 { return false }
        }
        return true
    }

    init(_ elst: Box) throws(MovieFileError) {
        var reader = ByteReader(elst)
        let version = try reader.readVersionAndFlags().version
        let count = Int(try reader.read(UInt32.self))
        guard count <= reader.remaining.count / (version == 1 ? 20 : 12) else {
            throw reader.error("it claims \(count) edits, more than it can hold")
        }
        edits = []
        for _ in 0..<count {
            let duration = try reader.readTime(version: version)
            let time = version == 1 ? try reader.read(Int64.self) : Int64(try reader.read(Int32.self))
            try reader.skip(4)
            edits.append(Edit(duration: duration, mediaTime: UInt64(exactly: time)))
        }
    }
}

extension Box {
    /// The media time of a `trak` that is presented first, in the track's ticks; 0 where no edit tells another.
    var firstPresented: UInt64 {
        get throws(MovieFileError) {
            guard let elst = descendant("edts", "elst") else { return 0 }
            return try EditList(elst).edits.lazy.compactMap(\.mediaTime).first ?? 0
        }
    }
}

extension UInt64 {
    /// This number of ticks of `timescale` in ticks of `other`, rounded up: an edit never cuts off what it is for.
    ///
    /// - Throws: `unsupported` where the result does not fit 64 bits.
    func rescaled(from timescale: UInt32, to other: UInt32) throws(MovieFileError) -> UInt64 {
        let product = multipliedFullWidth(by: UInt64(other))
        let divisor = UInt64(timescale)
        guard divisor > 0, product.high < divisor else {
            throw .unsupported(reason: "a time of \(self) ticks is too long")
        }
        let (quotient, remainder) = divisor.dividingFullWidth(product)
        guard remainder > 0 else { return quotient }
        guard quotient < .max else { throw .unsupported(reason: "a time of \(self) ticks is too long") }
        return quotient + 1
    }
}

package import MediaTypes
import SystemPackage

/// A movie of some frames of another one, made as it is read: a new index, and the frames' bytes where they lie.
///
/// It goes to a demuxer as one stream, so decoders get what they are used to, and nothing else of the file is touched.
package struct SparseMovie: Sendable {
    /// A frame that is in it.
    package struct Sample: Sendable, Hashable {
        /// Among ``VideoIndex/frames``.
        package var index: Int
        /// When it is shown, counted in frames.
        package var position: Int
        /// Whether the one before it in the original is not in it.
        package var beginsRun: Bool

        /// As chosen of an index.
        package init(index: Int, position: Int, beginsRun: Bool) {
            (self.index, self.position, self.beginsRun) = (index, position, beginsRun)
        }
    }

    private struct Piece {
        var offset: UInt64
        var size: Int
        var beginsRun: Bool
    }

    private let index: VideoIndex
    private let header: [UInt8]
    private let pieces: [Piece]
    /// By how many frames all are shown later than their positions say, as none is shown before it is decoded.
    package let delay: Int

    /// - Parameters:
    ///   - samples: in the order of decoding.
    ///   - rate: frames a second.
    ///   - leastLength: how long the movie says that it lasts at least, counted in frames: as long as frames that are shown later, once they
    ///     are decoded. Elements cut off what lies behind the end that a demuxer tells them.
    /// - Throws: `unsupported` where there are too many.
    package init(
        _ index: VideoIndex, _ samples: [Sample], rate: Fraction, leastLength: Int = 0
    ) throws(MovieFileError) {
        self.index = index
        let table = index.track.table
        pieces = samples.map {
            Piece(
                offset: index.places[$0.index].offset,
                size: Int(clamping: table.sizes.total(of: $0.index..<$0.index + 1)),
                beginsRun: $0.beginsRun)
        }
        let delay = samples.enumerated().map { $0.offset - $0.element.position }.max() ?? 0
        self.delay = max(0, delay)
        var new: [(sample: FragmentSample, description: UInt32)] = []
        for (place, (sample, piece)) in zip(samples, pieces).enumerated() {
            guard let size = UInt32(exactly: piece.size),
                let offset = Int32(exactly: (sample.position + max(0, delay) - place) * rate.denominator)
            else { throw .unsupported(reason: "its frames are too large, or too far apart") }
            let isSync = index.frames[sample.index].beginsGroup
            new.append(
                (
                    FragmentSample(
                        duration: UInt32(clamping: rate.denominator), size: size, isSync: isSync,
                        compositionOffset: offset), index.places[sample.index].description
                ))
        }
        let length = max(new.count + self.delay, leastLength)
        header = try Self.header(index, new, length: length, rate: rate)
    }

    /// Hands out the movie's bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Throws: `system` where the file cannot be read.
    package func forEachPiece(_ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        guard body(header) else { return }
        for piece in pieces {
            let bytes = try index.original.file.read(upTo: piece.size, at: piece.offset)
            guard bytes.count == piece.size else { throw .system(operation: "reading the movie", .ioError) }
            if piece.beginsRun, let record = index.record, record.codec == .hevc {
                guard body(record.breakingLink(bytes)) else { return }
            } else {
                guard body(bytes) else { return }
            }
        }
    }

    /// All that comes before the first frame.
    private static func header(
        _ index: VideoIndex, _ samples: [(sample: FragmentSample, description: UInt32)], length: Int, rate: Fraction
    ) throws(MovieFileError) -> [UInt8] {
        let source = index.original.source
        let brands = try source.fileType.brands(hasSignedOffsets: false).serialized()
        let size = samples.reduce(UInt64(0)) { $0 + UInt64($1.sample.size) }
        // Its size does not depend on where the samples lie.
        let moovSize = try moov(index, samples, length: length, rate: rate, at: 0).serialized().count
        let moov = try moov(index, samples, length: length, rate: rate, at: UInt64(brands.count + moovSize + 16))
            .serialized()
        var mdat = ByteWriter()
        mdat.append(UInt32(1))
        mdat.append(FourCC("mdat"))
        mdat.append(size + 16)
        return brands + moov + mdat.bytes
    }

    private static func moov(
        _ index: VideoIndex, _ samples: [(sample: FragmentSample, description: UInt32)], length: Int, rate: Fraction,
        at start: UInt64
    ) throws(MovieFileError) -> Box {
        var table = SampleTable()
        var (offset, place) = (start, 0)
        while place < samples.count {
            let run = samples[place...].prefix { $0.description == samples[place].description }
            table.append(run.map(\.sample), at: offset, description: samples[place].description)
            offset += run.reduce(UInt64(0)) { $0 + UInt64($1.sample.size) }
            place += run.count
        }
        // Nothing is shown behind a movie's end.
        let (boxes, duration) = (try table.boxes(), UInt64(length * rate.denominator))
        let timescale = UInt32(clamping: rate.numerator)
        var mvhd = try index.original.source.moov.required("mvhd")
        try mvhd.setTimescale(timescale)
        try mvhd.setDuration(duration)
        var trak = index.track.trak
        trak.removeChildren { $0.type != "tkhd" && $0.type != "mdia" && $0.type != "tapt" }
        try trak.edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in try tkhd.setDuration(duration) }
        try trak.edit(["mdia", "mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
            try mdhd.setTimescale(timescale)
            try mdhd.setDuration(duration)
        }
        try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
            stbl.removeChildren { $0.type != "stsd" }
            stbl.children?.append(contentsOf: boxes)
        }
        return Box("moov", children: [mvhd, trak])
    }
}

extension ParameterSetRecord {
    /// Tells a decoder of HEVC that a frame has nothing to do with those before it, though its group is open: `CRA_NUT` becomes
    /// `BLA_W_LP` (ITU-T H.265, table 7-1). After the end of a sequence a CRA frame would have what still waits thrown away.
    fileprivate func breakingLink(_ sample: [UInt8]) -> [UInt8] {
        var (bytes, place) = (sample, 0)
        while place + lengthSize < bytes.count {
            let length = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            let first = place + lengthSize
            if bytes[first] >> 1 & 0x3F == 21 { bytes[first] = bytes[first] & 0x81 | 16 << 1 }
            place = first + max(1, length)
        }
        return bytes
    }
}

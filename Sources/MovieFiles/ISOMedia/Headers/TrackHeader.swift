import MediaTypes

/// The fields of `tkhd` that matter here (ISO/IEC 14496-12 section 8.3.2).
struct TrackHeader: Sendable {
    var version: UInt8
    var trackID: UInt32
    /// In the movie's timescale.
    var duration: UInt64
    var matrix: TransformationMatrix
    /// 16.16 fixed point: as shown, before the matrix.
    var width: UInt32
    var height: UInt32

    init(_ box: Box) throws(MovieFileError) {
        var reader = ByteReader(box)
        version = try reader.readVersionAndFlags().version
        _ = try reader.readTime(version: version)
        _ = try reader.readTime(version: version)
        trackID = try reader.read()
        try reader.skip(4)
        duration = try reader.readTime(version: version)
        try reader.skip(16)
        matrix = try TransformationMatrix(from: &reader)
        width = try reader.read()
        height = try reader.read()
    }

    /// Of the flags' last byte: the track is played without being asked (ISO/IEC 14496-12, 8.3.2).
    static let enabledFlag: UInt8 = 1

    /// Where the number lies in the payload that tracks share of which one is played.
    static func alternateGroupOffset(version: UInt8) -> Int { matrixOffset(version: version) - 6 }

    /// Where the matrix lies in the payload.
    static func matrixOffset(version: UInt8) -> Int {
        version == 1 ? 52 : 40
    }
}

extension Box {
    /// Changes the matrix of a `tkhd` to that of `orientation`.
    mutating func setOrientation(_ orientation: MovieOrientation) throws(MovieFileError) {
        let header = try TrackHeader(self)
        let matrix = TransformationMatrix(orientation, width: header.width, height: header.height)
        try overwritePayload(at: TrackHeader.matrixOffset(version: header.version), with: matrix.bytes)
    }
}

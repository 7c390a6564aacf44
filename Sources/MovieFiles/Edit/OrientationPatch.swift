import MediaTypes

/// The bytes of a movie's headers that have to change for another orientation.
struct OrientationPatch: Equatable {
    var offset: UInt64
    var bytes: [UInt8]

    /// Where matrices stand, and what they shall be.
    private struct Matrix {
        var offset: UInt64
        var bytes: [UInt8]
    }

    init(_ orientation: MovieOrientation, _ file: ReadableFile) throws(MovieFileError) {
        let moov = try Self.movieBox(file)
        var matrices: [Matrix] = []
        for trak in moov.all("trak")
        where try trak.required("mdia").required("hdlr").handlerType() == "vide" {
            let tkhd = try trak.required("tkhd")
            let header = try TrackHeader(tkhd)
            let matrix = TransformationMatrix(orientation, width: header.width, height: header.height)
            let offset = tkhd.payloadOffset + UInt64(TrackHeader.matrixOffset(version: header.version))
            matrices.append(Matrix(offset: offset, bytes: matrix.bytes))
        }
        guard !matrices.isEmpty else { throw .unsupported(reason: "it has no video that could be rotated") }
        // A turn of the whole movie would come on top.
        let mvhd = try moov.required("mvhd")
        let place = TimeHeader.movieMatrixOffset(version: try TimeHeader(mvhd).version)
        let upright = TransformationMatrix(.upright, width: 0, height: 0).bytes
        // What lies behind a header that is too short is another box.
        guard mvhd.payload.count >= place + upright.count else {
            throw .invalidBox(mvhd.type, offset: mvhd.fileOffset, reason: "it is too short")
        }
        if !mvhd.payload.dropFirst(place).prefix(upright.count).elementsEqual(upright) {
            matrices.append(Matrix(offset: mvhd.payloadOffset + UInt64(place), bytes: upright))
        }
        // One write, from the first to the last of them.
        matrices.sort { $0.offset < $1.offset }
        offset = matrices[0].offset
        let end = matrices.reduce(0) { max($0, $1.offset + UInt64($1.bytes.count)) }
        bytes = try file.read(upTo: Int(end - offset), at: offset)
        for matrix in matrices {
            let start = Int(matrix.offset - offset)
            bytes.replaceSubrange(start..<start + matrix.bytes.count, with: matrix.bytes)
        }
    }

    private static func movieBox(_ file: ReadableFile) throws(MovieFileError) -> Box {
        var boxes = TopLevelBoxes(file)
        while let entry = try boxes.next() {
            if entry.type == "moov" { return try TopLevelBoxes.load(entry, from: file) }
        }
        throw boxes.missingIndex
    }

    func write(to file: some RandomAccessFile) throws(MovieFileError) {
        try file.write(bytes, at: offset)
        try file.synchronize()
    }
}

/// Samples of one track that lie one behind the other in the original and stay together in the copy: a chunk.
struct CopyPiece: Sendable, Equatable {
    /// The track's place among those that are copied.
    var track: Int
    /// The first sample's number in the track, from 0.
    var firstSample: Int
    var sampleCount: Int
    /// Which of the track's sample descriptions holds, from 1.
    var description: UInt32
    /// Whether its bytes are in the file of an encoded beginning, and not in the original.
    var isEncoded = false
    /// Where it begins in its file.
    var offset: UInt64
    /// Where it begins in the original, or what it stands for does.
    var place: UInt64
    /// In bytes.
    var size: UInt64
    /// When it is decoded, in seconds of the movie.
    var times: Range<Double>
}

/// Bytes that lie one behind the other, in the original or in the file of an encoded beginning.
struct CopyRun: Sendable, Equatable {
    var isEncoded = false
    var bytes: Range<UInt64>
}

extension CopiedTrack {
    /// The track's chunks, cut to the samples that are copied.
    ///
    /// - Parameter longest: Of a piece, in seconds; nil for the chunks as they are.
    /// - Throws: `unsupported` where there would be more pieces than any movie needs.
    func pieces(track: Int, longest: Double? = nil) throws(MovieFileError) -> [CopyPiece] {
        var pieces: [CopyPiece] = []
        pieces.reserveCapacity(table.chunks.count)
        var cursor = SampleCursor(table)
        let boundaries = [samples.lowerBound, encoded.upperBound, samples.upperBound]
        for chunk in table.chunks {
            var offset = chunk.offset
            var left = chunk.sampleCount
            while left > 0 {
                let (first, start) = (cursor.index, cursor.decodeTime)
                // Samples before and behind the wanted ones make pieces of their own, which are left out.
                let boundary = boundaries.first { $0 > first }
                var count = boundary.map { min(left, $0 - first) } ?? left
                if let longest, samples.contains(first) {
                    let end = start + UInt64(max(1, longest * Double(timescale)))
                    count = max(1, cursor.count(before: end, limit: count))
                }
                let size = cursor.advance(count)
                if samples.contains(first) {
                    guard pieces.count < Self.maximumPieceCount else {
                        throw .unsupported(reason: "track \(trackID) lies in more pieces than any movie has")
                    }
                    var piece = CopyPiece(
                        track: track, firstSample: first, sampleCount: count, description: chunk.description,
                        offset: offset, place: offset, size: size, times: seconds(start)..<seconds(cursor.decodeTime))
                    if let beginning, encoded.contains(first) {
                        let bytes = beginning.bytes(of: first - encoded.lowerBound, count: count)
                        (piece.isEncoded, piece.offset, piece.size) = (true, bytes.lowerBound, UInt64(bytes.count))
                    }
                    pieces.append(piece)
                }
                offset += size
                left -= count
            }
        }
        return pieces
    }

    /// A day of audio whose packets lie apart one by one.
    private static let maximumPieceCount = 8_000_000

    /// A decoding time as seconds of the movie, as far as one edit can tell.
    private func seconds(_ decodeTime: UInt64) -> Double {
        Double(decodeTime) / Double(timescale) + shift
    }
}

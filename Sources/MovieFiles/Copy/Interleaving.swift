/// In which order the pieces of all tracks lie in the copy.
///
/// As in the original, where that lets players read on without seeking: then the copy is one run of bytes, or a few. Else
/// anew, by time, in pieces of half a second.
struct Interleaving {
    /// In the copy's order.
    private(set) var pieces: [CopyPiece]

    /// In seconds: how far apart video and audio may lie in a file. Players buffer at least as much.
    private static let tolerance = 2.0
    private static let pieceLength = 0.5

    init(_ tracks: [CopiedTrack]) throws(MovieFileError) {
        pieces = []
        for (index, track) in tracks.enumerated() { pieces += try track.pieces(track: index) }
        pieces.sort { ($0.place, $0.track, $0.firstSample) < ($1.place, $1.track, $1.firstSample) }
        guard !Self.isGood(pieces, tracks) else { return }
        pieces.removeAll()
        for (index, track) in tracks.enumerated() {
            pieces += try track.pieces(track: index, longest: Self.pieceLength)
        }
        pieces.sort {
            ($0.times.lowerBound, $0.track, $0.firstSample) < ($1.times.lowerBound, $1.track, $1.firstSample)
        }
    }

    /// Whether the tracks that play all along, video and audio, go on side by side.
    private static func isGood(_ pieces: [CopyPiece], _ tracks: [CopiedTrack]) -> Bool {
        /// How far a track has been read; what has ended, or is sparse, holds nobody up.
        var times = [Double](repeating: .infinity, count: tracks.count)
        var left = [Int](repeating: 0, count: tracks.count)
        for piece in pieces where tracks[piece.track].playsAllAlong {
            left[piece.track] += 1
            times[piece.track] = min(times[piece.track], piece.times.lowerBound)
        }
        for piece in pieces where tracks[piece.track].playsAllAlong {
            left[piece.track] -= 1
            times[piece.track] = .infinity
            guard piece.times.upperBound <= times.reduce(.infinity, min) + tolerance else { return false }
            if left[piece.track] > 0 { times[piece.track] = piece.times.upperBound }
        }
        return true
    }

    /// The bytes that make up the copy's, those that lie side by side as one.
    var runs: [CopyRun] {
        var runs: [CopyRun] = []
        for piece in pieces where piece.size > 0 {
            let bytes = piece.offset..<piece.offset + piece.size
            if let last = runs.last, last.isEncoded == piece.isEncoded, last.bytes.upperBound == bytes.lowerBound {
                runs[runs.count - 1].bytes = last.bytes.lowerBound..<bytes.upperBound
            } else {
                runs.append(CopyRun(isEncoded: piece.isEncoded, bytes: bytes))
            }
        }
        return runs
    }

    /// The chunks of each track when the first piece lies at `offset` in the copy.
    func chunks(trackCount: Int, from offset: UInt64) -> [[SampleTable.Chunk]] {
        var placed = [[(firstSample: Int, chunk: SampleTable.Chunk)]](repeating: [], count: trackCount)
        var position = offset
        for piece in pieces {
            placed[piece.track].append(
                (
                    piece.firstSample,
                    .init(offset: position, sampleCount: piece.sampleCount, description: piece.description)
                ))
            position += piece.size
        }
        // A track may have jumped about in the original, but its samples are counted in order.
        return placed.map { chunks in chunks.sorted { $0.firstSample < $1.firstSample }.map(\.chunk) }
    }
}

import SystemPackage

/// Writes clusters: each one's samples are read at once where they lie close to each other, and written at once with what
/// stands between them.
struct ClusterWriter: ~Copyable {
    private let source: SourceFiles
    private let target: FileDescriptor
    private let texts: [UInt8]
    /// Where it says how opaque frames are, by where these lie.
    private let transparency: [UInt64: UInt64]
    /// Where the next byte goes.
    private(set) var position: UInt64
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private var heads = EBMLWriter()

    /// What lies between two samples is read too, where it is no more than this.
    private static let largestGap: UInt64 = 16 << 10

    init(
        source: SourceFiles, target: FileDescriptor, texts: [UInt8], transparency: [UInt64: UInt64] = [:],
        position: UInt64
    ) {
        (self.source, self.target, self.texts, self.position) = (source, target, texts, position)
        self.transparency = transparency
    }

    deinit { memory.deallocate() }

    mutating func write(_ cluster: ClusterPlan.Cluster, _ blocks: ArraySlice<MatroskaBlock>) throws(MovieFileError) {
        let pieces = pieces(of: blocks)
        let places = try read(pieces)
        heads.removeAll()
        heads.append(.cluster)
        heads.append(size: cluster.size)
        heads.unsigned(.timestamp, UInt64(cluster.time))
        // What stands before each piece, the end of the block before among it, and behind the last one.
        var ends: [Int] = []
        ends.reserveCapacity(pieces.count + 1)
        for block in blocks {
            block.appendHeader(to: &heads, clusterTime: cluster.time)
            ends.append(heads.bytes.count)
            heads.append(contentsOf: block.trailer)
            if block.transparencySize > 0 { ends.append(heads.bytes.count) }
        }
        ends.append(heads.bytes.count)
        let (memory, target, start) = (memory, target, position)
        let failure: MovieFileError? = heads.bytes.withUnsafeBytes { heads in
            texts.withUnsafeBytes { texts in
                var written: [UnsafeRawBufferPointer] = []
                written.reserveCapacity(2 * pieces.count + 1)
                var begin = 0
                for (piece, (place, end)) in zip(pieces, zip(places, ends)) {
                    written.append(UnsafeRawBufferPointer(rebasing: heads[begin..<end]))
                    let bytes = piece.isMade ? texts : UnsafeRawBufferPointer(memory)
                    written.append(UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(piece.size)]))
                    begin = end
                }
                written.append(UnsafeRawBufferPointer(rebasing: heads[begin...]))
                do throws(MovieFileError) {
                    try DescriptorFile(descriptor: target).write(written, at: start)
                    return nil
                } catch { return error }
            }
        }
        if let failure { throw failure }
        position += cluster.wholeSize
    }

    /// Bytes of the original, or of the texts.
    private struct Piece {
        var source: UInt64
        var size: UInt32
        var isMade: Bool
    }

    /// The bytes of each block, and behind them what says how opaque it is.
    private func pieces(of blocks: ArraySlice<MatroskaBlock>) -> [Piece] {
        blocks.flatMap { block in
            let own = Piece(source: block.source, size: block.size, isMade: block.flags.contains(.isMade))
            guard block.transparencySize > 0, let place = transparency[block.source] else { return [own] }
            return [own, Piece(source: place, size: block.transparencySize, isMade: false)]
        }
    }

    /// Reads the bytes of all pieces into memory.
    ///
    /// - Returns: Where those of each begin there, or among the texts.
    private mutating func read(_ pieces: [Piece]) throws(MovieFileError) -> [Int] {
        var places = pieces.map { Int(clamping: $0.source) }
        let order = pieces.indices.filter { !pieces[$0].isMade }.sorted { pieces[$0].source < pieces[$1].source }
        var runs: [(bytes: Range<UInt64>, place: Int)] = []
        var used = 0
        for index in order {
            let bytes = pieces[index].source..<pieces[index].source + UInt64(pieces[index].size)
            if let last = runs.last, bytes.lowerBound >= last.bytes.lowerBound,
                bytes.lowerBound <= last.bytes.upperBound + Self.largestGap
            {
                let end = max(last.bytes.upperBound, bytes.upperBound)
                used += Int(end - last.bytes.upperBound)
                runs[runs.count - 1].bytes = last.bytes.lowerBound..<end
            } else {
                runs.append((bytes, used))
                used += bytes.count
            }
            let run = runs[runs.count - 1]
            places[index] = run.place + Int(bytes.lowerBound - run.bytes.lowerBound)
        }
        if used > memory.count {
            memory.deallocate()
            memory = .allocate(byteCount: used + used / 4, alignment: 16)
        }
        for run in runs {
            let place = UnsafeMutableRawBufferPointer(rebasing: memory[run.place..<run.place + run.bytes.count])
            let (file, base) = source.file(at: run.bytes.lowerBound)
            try ReadableFile(file).read(into: place, at: run.bytes.lowerBound - base)
        }
        return places
    }
}

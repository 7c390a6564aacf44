import SystemPackage

/// Writes clusters: each one's samples are read at once where they lie close to each other, and written at once with what
/// stands between them.
struct ClusterWriter: ~Copyable {
    private let source: SourceFiles
    private let target: FileDescriptor
    private let texts: [UInt8]
    /// Where the next byte goes.
    private(set) var position: UInt64
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private var heads = EBMLWriter()

    /// What lies between two samples is read too, where it is no more than this.
    private static let largestGap: UInt64 = 16 << 10

    init(source: SourceFiles, target: FileDescriptor, texts: [UInt8], position: UInt64) {
        (self.source, self.target, self.texts, self.position) = (source, target, texts, position)
    }

    deinit { memory.deallocate() }

    mutating func write(_ cluster: ClusterPlan.Cluster, _ blocks: ArraySlice<MatroskaBlock>) throws(MovieFileError) {
        let places = try read(blocks)
        heads.removeAll()
        heads.append(.cluster)
        heads.append(size: cluster.size)
        heads.unsigned(.timestamp, UInt64(cluster.time))
        // What stands before each block's bytes, the end of the block before among it, and behind the last one's.
        var ends: [Int] = []
        ends.reserveCapacity(blocks.count + 1)
        for block in blocks {
            block.appendHeader(to: &heads, clusterTime: cluster.time)
            ends.append(heads.bytes.count)
            heads.append(contentsOf: block.trailer)
        }
        ends.append(heads.bytes.count)
        let (memory, target, start) = (memory, target, position)
        let failure: MovieFileError? = heads.bytes.withUnsafeBytes { heads in
            texts.withUnsafeBytes { texts in
                var pieces: [UnsafeRawBufferPointer] = []
                pieces.reserveCapacity(2 * blocks.count + 1)
                var begin = 0
                for (block, (place, end)) in zip(blocks, zip(places, ends)) {
                    pieces.append(UnsafeRawBufferPointer(rebasing: heads[begin..<end]))
                    let bytes = block.flags.contains(.isMade) ? texts : UnsafeRawBufferPointer(memory)
                    pieces.append(UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(block.size)]))
                    begin = end
                }
                pieces.append(UnsafeRawBufferPointer(rebasing: heads[begin...]))
                do throws(MovieFileError) {
                    try DescriptorFile(descriptor: target).write(pieces, at: start)
                    return nil
                } catch { return error }
            }
        }
        if let failure { throw failure }
        position += cluster.wholeSize
    }

    /// Reads the bytes of all blocks into memory.
    ///
    /// - Returns: Where those of each begin there, or among the texts.
    private mutating func read(_ blocks: ArraySlice<MatroskaBlock>) throws(MovieFileError) -> [Int] {
        let first = blocks.startIndex
        var places = blocks.map { Int(clamping: $0.source) }
        let order = blocks.indices.filter { !blocks[$0].flags.contains(.isMade) }
            .sorted { blocks[$0].source < blocks[$1].source }
        var runs: [(bytes: Range<UInt64>, place: Int)] = []
        var used = 0
        for index in order {
            let bytes = blocks[index].source..<blocks[index].source + UInt64(blocks[index].size)
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
            places[index - first] = run.place + Int(bytes.lowerBound - run.bytes.lowerBound)
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

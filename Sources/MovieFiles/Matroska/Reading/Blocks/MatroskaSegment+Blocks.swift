/// Where the frames of a block lie, and what is told of them (RFC 9559 section 5.1.3).
extension MatroskaSegment {
    mutating func readGroup(_ group: ElementHeader) throws(MovieFileError) {
        var block: ElementHeader?
        var told = FrameTable.Block(time: 0, isKey: true)
        var position = group.dataOffset
        let end = group.end ?? position
        while position < end {
            guard let header = try header(at: position), let next = header.end, next <= end else {
                throw Self.damage(position)
            }
            let number = try window.bytes(Int(min(header.size ?? 0, 9)), at: header.dataOffset)
            switch header.id {
            case .block: block = header
            case .referenceBlock: told.isKey = false
            case .blockDuration: told.duration = number.unsignedInteger.map { min($0, UInt64(Self.maximumTime)) }
            case .discardPadding: told.discardPadding = number.signedInteger ?? 0
            case .blockAdditions:
                // The frames are there, whatever became of what lies beside them.
                do throws(MovieFileError) { try readAdditions(header, &told) } catch { told.hasOtherAdditions = true }
            case .encryptedBlock: throw .unsupported(reason: "its blocks are encrypted")
            default: break
            }
            position = next
        }
        if let block { try readBlock(block, told, isSimple: false) }
    }

    /// Where what lies beside a block is, under the number 1 (RFC 9559 section 5.1.3.5.2).
    private mutating func readAdditions(
        _ additions: ElementHeader, _ told: inout FrameTable.Block
    ) throws(MovieFileError) {
        try forEach(in: additions) { (segment, more) throws(MovieFileError) in
            guard more.id == .blockMore else { return }
            var (number, place): (UInt64, FrameTable.Place?) = (1, nil)
            try segment.forEach(in: more) { (segment, header) throws(MovieFileError) in
                switch header.id {
                case .blockAddID:
                    let bytes = try segment.window.bytes(Int(min(header.size ?? 0, 9)), at: header.dataOffset)
                    number = bytes.unsignedInteger ?? 0
                case .blockAdditional:
                    guard let size = UInt32(exactly: header.size ?? 0) else { throw Self.damage(header.offset) }
                    place = FrameTable.Place(offset: header.dataOffset, size: size)
                default: break
                }
            }
            guard let place else { return }
            if number == 1 { told.addition = place } else { told.hasOtherAdditions = true }
        }
    }

    /// Goes through what is in an element.
    mutating func forEach(
        in element: ElementHeader,
        _ body: (inout MatroskaSegment, ElementHeader) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        var position = element.dataOffset
        let end = element.end ?? position
        while position < end {
            guard let header = try header(at: position), let next = header.end, next <= end else {
                throw Self.damage(position)
            }
            try body(&self, header)
            position = next
        }
    }

    /// - Parameter told: What its group says of the block.
    mutating func readBlock(
        _ header: ElementHeader, _ told: FrameTable.Block, isSimple: Bool
    ) throws(MovieFileError) {
        guard let size = header.size else { throw Self.damage(header.offset) }
        var layout: BlockLayout?
        for limit in BlockLayout.headSizes where layout == nil {
            let head = try window.bytes(Int(min(size, UInt64(limit))), at: header.dataOffset)
            layout = BlockLayout(head, size: size)
        }
        guard let layout else { throw Self.damage(header.offset) }
        let time = restarts.shown(
            clusterTime + Int64(layout.relativeTime), of: layout.trackNumber, second: second)
        // Blocks of a track that nothing describes are nobody's.
        guard var table = frames.removeValue(forKey: layout.trackNumber) else {
            othersBegin = min(othersBegin ?? time, time)
            return
        }
        var told = told
        told.time = time
        if isSimple { told.isKey = layout.isKeyframe }
        var offset = header.dataOffset + UInt64(layout.headSize)
        let packets = packets[layout.trackNumber]
        var isFirst = true
        for size in layout.frameSizes where size > 0 {
            guard let size32 = UInt32(exactly: size), frameCount < Self.maximumFrameCount else {
                throw Self.damage(header.offset)
            }
            var length: UInt32?
            if let packets {
                let bytes = try window.bytes(Int(min(size, UInt64(AudioPackets.headSize))), at: offset)
                length = packets.sampleCount(bytes)
                guard length != nil || purpose.takesAll else {
                    throw .unsupported(reason: "its audio at byte \(offset) is not what its track describes")
                }
            }
            table.append(offset: offset, size: size32, of: told, isFirst: isFirst, audioLength: length)
            isFirst = false
            frameCount += 1
            offset += size
        }
        frames[layout.trackNumber] = table
    }
}

/// The quantised coefficients of one plane of a slice, on their way into the stream (RDD 36, scanned coefficients).
struct Coefficients {
    /// By place in the block, and then by block.
    let levels: UnsafeMutablePointer<Int16>
    /// From one place to the next; a multiple of 4.
    let stride: Int
    let blocks: Int
    /// The places of a block in the order in which they are written, 64.
    let scan: [Int]

    /// The blocks' mean values, each as its difference from the last.
    func codeDC(_ output: inout BitWriter) {
        var last = Int32(levels[0])
        output.put(Codebook.firstDC.code(Self.folded(last)))
        var (book, sign): (Int, Int32) = (Codebook.dc.count - 1, 0)
        for index in 1..<max(1, blocks) {
            let level = Int32(levels[index])
            let difference = level - last
            // Written with the sign of the last difference taken off, as they tend to alternate.
            let code = Self.folded((difference ^ sign) - sign)
            output.put(Codebook.dc[book].code(code))
            book = min(Codebook.dc.count - 1, Int(code + 1) / 2)
            (last, sign) = (level, difference >> 31)
        }
    }

    /// 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …
    private static func folded(_ value: Int32) -> UInt32 { UInt32(bitPattern: (value << 1) ^ (value >> 31)) }

    /// All other coefficients, frequency by frequency through all blocks: how many zeros, then a magnitude and its sign, each
    /// in the codebook that the last one of its kind chooses. Nearly half of all time is spent here.
    func codeAC(_ output: inout BitWriter) {
        var bits = output
        // What a slice begins with.
        var (run, lastRun, lastMagnitude) = (0, 4, 2)
        let (runs, magnitudes) = (CodeTable.run.words, CodeTable.level.words)
        var place = 1
        while place < 64 {
            let row = UnsafeRawPointer(levels + scan[place] &* stride)
            place &+= 1
            var index = 0
            while index < blocks {
                // Four levels are looked at together, as most are zero.
                var four = UInt64(littleEndian: row.load(fromByteOffset: index &* 2, as: UInt64.self))
                var left = min(4, blocks &- index)
                index &+= 4
                if four == 0 {
                    run &+= left
                    continue
                }
                while left > 0 {
                    let level = Int(Int16(truncatingIfNeeded: four))
                    four &>>= 16
                    left &-= 1
                    if level == 0 {
                        run &+= 1
                        continue
                    }
                    // Without a branch, as signs cannot be foreseen.
                    let mask = level &>> (Int.bitWidth - 1)
                    let (magnitude, sign) = ((level ^ mask) &- mask, UInt64(bitPattern: Int64(mask)) & 1)
                    if run < CodeTable.size, magnitude <= CodeTable.size {
                        let zeros = runs[lastRun &* CodeTable.size &+ run]
                        let word = magnitudes[lastMagnitude &* CodeTable.size &+ magnitude &- 1]
                        bits.put(UInt64(zeros &>> 8), UInt64(zeros & 0xFF))
                        bits.put(UInt64(word &>> 8) &<< 1 | sign, UInt64(word & 0xFF) &+ 1)
                    } else {
                        bits.put(Codebook.run[lastRun].code(UInt32(run)))
                        bits.put(Codebook.level[lastMagnitude].code(UInt32(magnitude - 1)))
                        bits.put(sign, 1)
                    }
                    lastRun = min(run, 15)
                    lastMagnitude = min(magnitude, 9)
                    run = 0
                }
            }
        }
        output = bits
    }
}

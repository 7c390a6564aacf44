/// Writes how opaque the pixels of a slice are, without loss (RDD 36, scanned alpha): each value as its difference from the one before,
/// and how often it follows itself.
struct AlphaCoder {
    /// Bits of a value.
    static let depth: UInt64 = 16
    /// As a frame's header names it.
    static let channelType: UInt8 = 2

    /// In the order in which the standard scans: row by row through the slice.
    private var last: UInt32 = 0xFFFF
    private var run: UInt64 = 0
    private var isFirst = true

    mutating func code(_ value: UInt32, _ output: inout BitWriter) {
        if !isFirst, value == last {
            run += 1
            return
        }
        if !isFirst { codeRun(&output) }
        codeDifference(value, &output)
        (last, run, isFirst) = (value, 0, false)
    }

    /// The run at the end of the slice is written only if there is one.
    mutating func finish(_ output: inout BitWriter) {
        if run > 0 { codeRun(&output) }
        run = 0
    }

    /// Up to 64 up or down in eight bits, all else as it is, round the end of the values.
    private func codeDifference(_ value: UInt32, _ output: inout BitWriter) {
        let difference = Int(Int16(truncatingIfNeeded: Int(value) - Int(last)))
        guard difference != 0, (-64...64).contains(difference) else {
            output.put(1, 1)
            output.put(UInt64(UInt16(truncatingIfNeeded: difference)), Self.depth)
            return
        }
        output.put(0, 1)
        output.put(UInt64(abs(difference) - 1), 6)
        output.put(difference < 0 ? 1 : 0, 1)
    }

    private func codeRun(_ output: inout BitWriter) {
        guard run > 0 else { return output.put(1, 1) }
        output.put(0, 1)
        output.put(run, run < 16 ? 4 : 15)
    }
}

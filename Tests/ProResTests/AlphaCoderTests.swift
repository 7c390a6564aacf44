import Testing

@testable import ProRes

@Suite struct AlphaCoderTests {
    /// The bits of values, as text.
    private func bits(_ values: [UInt32]) -> String {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 8 * values.count + 64)
        defer { memory.deallocate() }
        var (writer, coder) = (BitWriter(memory), AlphaCoder())
        for value in values { coder.code(value, &writer) }
        coder.finish(&writer)
        return (0..<writer.finish()).map { index in
            let digits = String(memory[index], radix: 2)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    @Test func `differences and runs are those of the standard`() {
        // The first differs from opaque, which is no difference: as it is. Then a run of three.
        #expect(bits([0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]).hasPrefix("1000000000000000000011"))
        // One less than opaque; then two more, round the end, at once.
        #expect(bits([0xFFFE, 0]).hasPrefix("00000001" + "1" + "00000010"))
        // 64 are written short, 65 are not.
        #expect(bits([0xFFFF - 64]).hasPrefix("01111111"))
        #expect(bits([0xFFFF - 65]).hasPrefix("11111111110111111"))
        // A long run.
        let long = bits([0xFFFE] + [UInt32](repeating: 0xFFFE, count: 300))
        #expect(long.hasPrefix("000000010000000100101100"))
    }
}

import Testing

@testable import Export

@Suite struct ContinuityCheckTests {
    /// What is known of so many packets with a payload of one stream, each with its counter.
    private func check(_ counters: some Sequence<UInt8>) -> ContinuityCheck {
        var (check, place) = (ContinuityCheck(), UInt64(0))
        for counter in counters {
            var bytes = [UInt8](repeating: 0xAA, count: TransportPacket.size)
            bytes.replaceSubrange(0..<4, with: [TransportPacket.synchronisation, 1, 0, 0x10 | counter])
            // None is the one before it, sent twice.
            withUnsafeBytes(of: place) { bytes.replaceSubrange(180..<188, with: $0) }
            bytes.withUnsafeBytes { check.take(TransportPacket($0), at: place) }
            place += UInt64(TransportPacket.size)
        }
        check.end()
        return check
    }

    @Test func `a place where packets are missing is counted, and mended from there on`() {
        let found = check((0..<100).filter { !(40..<43).contains($0) }.map { UInt8($0 % 16) })
        #expect(found.streams[256]?.gaps == 1 && found.streams[256]?.isCounted == true)
        #expect(found.shifts.map(\.amount) == [3] && found.shifts.first?.place == 40 * 188)
    }

    @Test func `counters that nobody keeps cost no memory, and are left as they are`() {
        let found = check(repeatElement(0, count: ContinuityCheck.mostShifts + 1000))
        #expect(found.streams[256]?.isCounted == false)
        #expect(found.shifts.isEmpty)
    }
}

import Testing
import Workarounds

@Suite struct X265HeaderTests {
    private static let (start, set) = ([0, 0, 0, 1] as [UInt8], [0x40, 1, 12, 1, 255] as [UInt8])
    /// Parameter sets, a message, and what follows them.
    private static func header(_ rest: [UInt8]) -> [UInt8] {
        start + set + start + [0x42, 1, 7] + start + [0x44, 1, 9] + start + [0x4E, 1, 5, 6] + rest
    }
    private static let frame = start + [0x28, 1, 99, 98, 97]

    private func spoiled(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes { X265Header.spoiledCount($0) } }

    @Test func `what was put before a frame's own parameter sets goes, whatever it looks like`() {
        let own = Self.header(Self.frame)
        for waste in [[], [0x4E, 1, 5, 0, 0, 0], Self.start + [0x28, 1], Self.start + Self.set] as [[UInt8]] {
            let before = Self.header(waste)
            #expect(spoiled(before + own) == before.count, "\(waste)")
        }
    }

    @Test func `a frame that begins with its own stays`() {
        #expect(spoiled(Self.header(Self.frame)) == nil)
        #expect(spoiled(Self.frame) == nil && spoiled([]) == nil && spoiled(Self.start + Self.set) == nil)
    }
}

import Testing

@testable import Encoding
@testable import Workarounds

@Suite struct GroupStartTests {
    /// Units with their sizes before them, and the same as a byte stream, of which the same is said.
    private func isStart(_ units: [[UInt8]], isHEVC: Bool = false) -> Bool {
        let bytes: [UInt8] = units.flatMap { unit -> [UInt8] in [0, 0, 0, UInt8(unit.count)] + unit }
        let isStart = bytes.withUnsafeBytes { GroupStart.isStart($0, isHEVC: isHEVC) }
        for code in [[0, 0, 1], [0, 0, 0, 1]] as [[UInt8]] {
            let stream = units.flatMap { code + $0 }
            #expect(stream.withUnsafeBytes { GroupStart.isStart($0, isHEVC: isHEVC, .startCodes) } == isStart)
        }
        return isStart
    }

    @Test func `H.264 begins with IDR frames and recovery points, not with each frame of I slices`() {
        let (parameters, delimiter): ([UInt8], [UInt8]) = ([0x67, 1, 2], [0x09, 0xF0])
        #expect(isStart([delimiter, parameters, [0x68, 1], [0x65, 9, 9]]))
        #expect(!isStart([delimiter, [0x41, 9, 9]]) && !isStart([parameters, [0x01, 9]]))
        // A message of 300 bytes before the recovery point.
        let long = [0x06, 5, 255, 45] + [UInt8](repeating: 6, count: 180)
        #expect(!isStart([long, [0x41, 9]]))
        #expect(isStart([[0x06, 5, 2, 6, 6, 6, 1, 0xC4, 0x80], [0x41, 9]]))
        #expect(!isStart([[0x06, 5, 2, 6, 6, 0x80], [0x41, 9]]))
    }

    @Test func `HEVC begins with random access points`() {
        for type in UInt8(0)...31 {
            #expect(
                isStart([[32 << 1, 1], [35 << 1, 1], [type << 1, 1, 9]], isHEVC: true) == (16...21).contains(type))
        }
    }

    @Test func `what is cut off or empty is no beginning`() {
        #expect(!isStart([]) && !isStart([[]]))
        for bytes in [[0], [0, 0, 0], [255, 255, 255, 255, 0x41], [0, 0, 0, 200, 0x06, 255, 255]] as [[UInt8]] {
            #expect(!bytes.withUnsafeBytes { GroupStart.isStart($0, isHEVC: false) })
            #expect(!bytes.withUnsafeBytes { GroupStart.isStart($0, isHEVC: false, .startCodes) })
        }
    }
}

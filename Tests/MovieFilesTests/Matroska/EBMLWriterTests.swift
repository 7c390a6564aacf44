import Testing

@testable import MovieFiles

@Suite("EBML")
struct EBMLWriterTests {
    private func bytes(_ body: (inout EBMLWriter) -> Void) -> [UInt8] {
        var writer = EBMLWriter()
        body(&writer)
        return writer.bytes
    }

    @Test("sizes take as few bytes as they can, and never mean “not known”")
    func sizes() {
        #expect(bytes { $0.append(size: 0) } == [0x80])
        #expect(bytes { $0.append(size: 126) } == [0xFE])
        #expect(bytes { $0.append(size: 127) } == [0x40, 0x7F])
        #expect(bytes { $0.append(size: 16_382) } == [0x7F, 0xFE])
        #expect(bytes { $0.append(size: 16_383) } == [0x20, 0x3F, 0xFF])
        #expect(bytes { $0.append(size: 5, length: 8) } == [1, 0, 0, 0, 0, 0, 0, 5])
        #expect(EBMLWriter.length(ofSize: 1 << 49 - 2) == 7)
        #expect(EBMLWriter.length(ofSize: 1 << 49 - 1) == 8)
    }

    @Test("elements are an ID, a size and the data")
    func elements() {
        #expect(bytes { $0.unsigned(.timestamp, 0) } == [0xE7, 0x81, 0])
        #expect(bytes { $0.unsigned(.timestampScale, 1_000_000) } == [0x2A, 0xD7, 0xB1, 0x83, 0x0F, 0x42, 0x40])
        #expect(bytes { $0.unsigned(.cueClusterPosition, 7, length: 4) } == [0xF1, 0x84, 0, 0, 0, 7])
        #expect(bytes { $0.signed(.discardPadding, -1) } == [0x75, 0xA2, 0x88] + Array(repeating: 0xFF, count: 8))
        #expect(bytes { $0.float(.duration, 1) } == [0x44, 0x89, 0x88, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
        #expect(bytes { $0.text(.docType, "webm\0hidden") } == [0x42, 0x82, 0x84] + Array("webm".utf8))
        let inside = bytes { $0.master(.cues) { $0.master(.cuePoint) { $0.unsigned(.cueTime, 300) } } }
        #expect(inside == [0x1C, 0x53, 0xBB, 0x6B, 0x86, 0xBB, 0x84, 0xB3, 0x82, 0x01, 0x2C])
    }

    @Test("every ID tells its own length")
    func lengths() {
        #expect(ElementID.block.length == 1)
        #expect(ElementID.docType.length == 2)
        #expect(ElementID.language.length == 3)
        #expect(ElementID.segment.length == 4)
    }
}

import Foundation
import Testing

@testable import MovieFiles

@Suite("A box")
struct BoxTests {
    @Test("of a real movie is the same byte for byte after it was read and written", arguments: Recording.all)
    func roundTrip(_ recording: Recording) async throws {
        let stream = try await recording.bytes
        let end = try KilledRecordingTests.boxEnds(stream, "moov")[0]
        let start = try KilledRecordingTests.boxEnds(stream, "ftyp")[0]
        let bytes = Array(stream[start..<end])
        #expect(try Box(bytes, at: UInt64(start)).serialized() == bytes)
    }

    @Test("keeps unknown children, and the zero that ends QuickTime's lists")
    func unknown() throws {
        let bytes: [UInt8] =
            [0, 0, 0, 24] + Array("udta".utf8) + [0, 0, 0, 12] + Array("Wxyz".utf8) + [1, 2, 3, 4, 0, 0, 0, 0]
        let box = try Box(bytes, at: 0)
        #expect(box["Wxyz"]?.payload == [1, 2, 3, 4])
        #expect(try box.serialized() == bytes)
    }

    @Test("may have a 64-bit size")
    func largeSize() throws {
        let bytes: [UInt8] = [0, 0, 0, 1] + Array("free".utf8) + [0, 0, 0, 0, 0, 0, 0, 18, 7, 8]
        let box = try Box(bytes, at: 100)
        #expect(box.payload == [7, 8])
        #expect(box.payloadOffset == 116)
    }

    @Test("is found in a stream cut into pieces of any size", arguments: [1, 2, 3, 7, 8, 9, 16, 1000])
    func framing(_ size: Int) throws {
        let stream: [UInt8] =
            [0, 0, 0, 10] + Array("aaaa".utf8) + [1, 2] + [0, 0, 0, 1] + Array("bbbb".utf8)
            + [0, 0, 0, 0, 0, 0, 0, 17, 3] + [0, 0, 0, 8] + Array("cccc".utf8)
        var framer = BoxFramer()
        var found: [String] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            try Array(stream[start..<min(start + size, stream.count)]).withBytes { (buffer) throws(MovieFileError) in
                var input = buffer
                while let piece = try framer.next(&input) {
                    switch piece {
                    case .header(let header, let bytes): found.append("\(header.type) \(bytes.count)")
                    case .payload(let bytes): found.append(contentsOf: bytes.map(String.init))
                    case .end: found.append("end")
                    }
                }
            }
        }
        #expect(found == ["aaaa 8", "1", "2", "end", "bbbb 16", "3", "end", "cccc 8", "end"])
    }

    @Test("has a type that is written as it is read")
    func types() {
        #expect(FourCC("©xyz").bytes == [0xA9, 0x78, 0x79, 0x7A])
        #expect(FourCC(rawValue: 0xA978_797A).description == "©xyz")
        #expect(FourCC(rawValue: 1).description == "\\x0\\x0\\x0\\x1")
        #expect(FourCC("qt").bytes == Array("qt  ".utf8))
    }
}

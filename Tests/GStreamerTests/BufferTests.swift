import CGStreamer
import TestSupport
import Testing

@testable import GStreamer

@Suite("Buffers") struct BufferTests {
    private func buffer(_ bytes: [UInt8], time: MediaTime? = 7, duration: MediaTime? = 3) -> Buffer {
        bytes.withUnsafeBytes { Buffer(copying: $0, presentationTime: time, duration: duration) }
    }

    private func bytes(_ buffer: Buffer) throws -> [UInt8] { try buffer.withBytes { Array($0) } }

    @Test("Bytes and times come back") func roundTrip() throws {
        let buffer = buffer([1, 2, 3])
        #expect(try bytes(buffer) == [1, 2, 3])
        #expect(buffer.presentationTime == 7)
        #expect(buffer.duration == 3)
        #expect(buffer.decodeTime == nil)
        #expect(buffer.byteCount == 3)
        #expect(self.buffer([1], time: nil, duration: nil).presentationTime == nil)
    }

    @Test("A buffer may be empty") func empty() throws {
        var buffer = buffer([])
        #expect(try bytes(buffer) == [])
        try buffer.withMutableBytes { #expect($0.isEmpty) }
    }

    @Test("Writing to a buffer that a copy holds too leaves the copy as it was") func swiftCopy() throws {
        var one = buffer([1, 2, 3])
        let two = one
        try one.withMutableBytes { $0[0] = 9 }
        #expect(try bytes(one) == [9, 2, 3])
        #expect(try bytes(two) == [1, 2, 3])
        #expect(one.presentationTime == 7)
    }

    @Test("Writing to a buffer that GStreamer holds too leaves GStreamer's as it was") func cHolder() throws {
        var one = buffer([1, 2, 3])
        let held = Buffer(retaining: one.pointer)
        try one.withMutableBytes { $0[0] = 9 }
        #expect(try bytes(held) == [1, 2, 3])
    }

    @Test("Writing to a retimed buffer, which shares its memory, leaves the original as it was") func sharedMemory()
        throws
    {
        let one = buffer([1, 2, 3])
        var two = one.retimed(presentationTime: 100, duration: nil)
        #expect(two.presentationTime == 100)
        #expect(two.duration == nil)
        #expect(one.presentationTime == 7)
        try two.withMutableBytes { $0[0] = 9 }
        #expect(try bytes(one) == [1, 2, 3])
        #expect(try bytes(two) == [9, 2, 3])
    }

    @Test("A copied buffer has the same bytes and times in memory of its own, so a pool gets its memory back")
    func copied()
        throws
    {
        let one = buffer([1, 2, 3])
        let two = one.copied()
        #expect(try bytes(two) == [1, 2, 3])
        #expect(two.presentationTime == 7)
        #expect(two.duration == 3)
        let places = try (one.withBytes { $0.baseAddress }, two.withBytes { $0.baseAddress })
        #expect(places.0 != places.1)
    }

    @Test("A buffer that is held once is written in place") func inPlace() throws {
        var one = buffer([1, 2, 3])
        let before = try one.withBytes { $0.baseAddress }
        try one.withMutableBytes { $0[0] = 9 }
        #expect(try one.withBytes { $0.baseAddress } == before)
        #expect(try bytes(one) == [9, 2, 3])
    }

    @Test("Memory that cannot be mapped is an error, not the end of the program") func unmappable() throws {
        var buffer = try #require(UnmappableBuffer.make())
        #expect(throws: GStreamerError.self) { try buffer.withBytes { _ in } }
        #expect(throws: GStreamerError.self) { try buffer.withMutableBytes { _ in } }
    }

    @Test("The flags say what can be decoded by itself") func flags() {
        let buffer = buffer([1])
        #expect(buffer.isKeyFrame)
        #expect(!buffer.isDiscontinuity)
        buffer.pointer.pointee.mini_object.flags |=
            GST_BUFFER_FLAG_DELTA_UNIT.rawValue | GST_BUFFER_FLAG_DISCONT.rawValue
        #expect(!buffer.isKeyFrame)
        #expect(buffer.isDiscontinuity)
    }

    @Test("Times that no clock has are told apart from zero and from the longest") func clockTimes() {
        #expect(MediaTime(clockTime: .max) == nil)
        #expect(MediaTime(clockTime: .max - 1) == .longest)
        #expect(Optional<MediaTime>.none.clockTime == .max)
        #expect(Optional<MediaTime>(-5).clockTime == 0)
    }
}

import CGStreamer
import TestSupport
import Testing

@testable import GStreamer

@Suite("Frame pools") struct FramePoolTests {
    private let caps = Caps(
        "video/x-raw", ["format": "I420", "width": 6, "height": 4, "framerate": .fraction(.init(25, 1))])

    /// Rows of I420 at this size are 8 bytes of luma and 4 of chroma.
    private func frame(_ layout: VideoFrameLayout) -> Buffer {
        let bytes = (0..<layout.byteCount).map { UInt8($0) }
        return bytes.withUnsafeBytes { Buffer(copying: $0, presentationTime: 7, duration: 3) }
    }

    private func place(_ buffer: Buffer) throws -> UnsafeRawPointer? { try buffer.withBytes { $0.baseAddress } }

    @Test(
        "A frame that others hold too is copied into the pool, with its times, and its bytes stay as they are for them")
    func copied() throws {
        let layout = try #require(VideoFrameLayout(caps))
        let pool = try FramePool(caps, layout)
        let theirs = frame(layout)
        var ours = theirs
        try pool.makeWritable(&ours)
        #expect(ours.presentationTime == 7 && ours.duration == 3)
        #expect(try place(ours) != place(theirs))
        let before = try place(ours)
        try ours.withMutablePlanes(layout) { $0[0].base.storeBytes(of: 99, as: UInt8.self) }
        #expect(try place(ours) == before)
        #expect(try theirs.withPlanes(layout) { $0[0].base.load(as: UInt8.self) } == 0)
        let planes = try ours.withPlanes(layout) { $0.map { $0.base.load(fromByteOffset: 1, as: UInt8.self) } }
        #expect(try planes == theirs.withPlanes(layout) { $0.map { $0.base.load(fromByteOffset: 1, as: UInt8.self) } })
    }

    @Test("A frame whose rows are padded, as a camera's, is copied row by row") func padded() throws {
        let layout = try #require(VideoFrameLayout(caps))
        var offsets: [gsize] = [0, 64, 96, 0]
        var strides: [gint] = [16, 16, 16, 0]
        let theirs = (0..<128).map { UInt8($0) }.withUnsafeBytes {
            Buffer(copying: $0, presentationTime: 7, duration: 3)
        }
        gst_buffer_add_video_meta_full(
            theirs.pointer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 6, 4, 3, &offsets, &strides)
        var ours = theirs
        try FramePool(caps, layout).makeWritable(&ours)
        // Luma's last row, and Cb's and Cr's first and second.
        let bytes = try ours.withBytes { Array($0) }
        #expect(bytes.count == layout.byteCount)
        #expect(Array(bytes[24..<30]) == [48, 49, 50, 51, 52, 53])
        let chroma: [[UInt8]] = [[64, 65, 66], [80, 81, 82], [96, 97, 98], [112, 113, 114]]
        for (row, expected) in chroma.enumerated() { #expect(Array(bytes[32 + 4 * row..<35 + 4 * row]) == expected) }
        #expect(try theirs.withBytes { $0[64] } == 64)
    }

    @Test("The next copy lies where one was that nobody holds any more") func reused() throws {
        let layout = try #require(VideoFrameLayout(caps))
        let pool = try FramePool(caps, layout)
        let theirs = frame(layout)
        var places: Set<UnsafeRawPointer?> = []
        for _ in 0..<5 {
            var ours = theirs
            try pool.makeWritable(&ours)
            places.insert(try place(ours))
        }
        #expect(places.count == 1)
    }

    @Test("A frame that nobody else holds stays where it is") func alone() throws {
        let layout = try #require(VideoFrameLayout(caps))
        var ours = frame(layout)
        let before = try place(ours)
        try FramePool(caps, layout).makeWritable(&ours)
        #expect(try place(ours) == before)
    }

    @Test("Another frame is an error") func another() throws {
        let layout = try #require(VideoFrameLayout(caps))
        let pool = try FramePool(caps, layout)
        let short = [UInt8](repeating: 1, count: 5).withUnsafeBytes {
            Buffer(copying: $0, presentationTime: nil, duration: nil)
        }
        var ours = short
        #expect(throws: GStreamerError.self) { try pool.makeWritable(&ours) }
        #expect(ours.byteCount == 5 && short.byteCount == 5)
    }
}

package import MediaTypes

extension FLVScan {
    /// How large the frames of VP6 in a Flash video file are. They count in blocks of 16 pixels, and a byte before them says how much of that is not
    /// shown (Adobe Flash Video File Format Specification 10.1, E.4.3.1).
    package struct VP6Size: Sendable, Hashable {
        /// Of what is shown.
        package let shown: VideoSize
        /// Columns at the right that are not, and rows at the bottom.
        package let (hiddenColumns, hiddenRows): (Int, Int)

        /// - Parameter tag: how one of video begins, with its head; nil is returned for any other codec, and for what is no key frame.
        init?(_ tag: ArraySlice<UInt8>) {
            let tag = Array(tag)
            guard tag.count >= 24, tag[0] == 9, [4, 5].contains(tag[11] & 0x0F) else { return nil }
            // With transparency three more bytes say where that begins.
            let frame = tag[(tag[11] & 0x0F == 5 ? 16 : 13)...]
            let (first, second) = (frame[frame.startIndex], frame[frame.startIndex + 1])
            guard first & 0x80 == 0 else { return nil }
            let isLong = first & 1 != 0 || second & 6 == 0
            let size = frame.dropFirst(isLong ? 4 : 2).prefix(2)
            guard size.count == 2, let rows = size.first, let columns = size.last else { return nil }
            (hiddenColumns, hiddenRows) = (Int(tag[12] >> 4), Int(tag[12] & 0x0F))
            shown = VideoSize(Int(columns) * 16 - hiddenColumns, Int(rows) * 16 - hiddenRows)
            guard shown.width > 0, shown.height > 0 else { return nil }
        }
    }
}

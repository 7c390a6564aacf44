package import MediaTypes

extension VideoSize {
    /// How large the frames of VP8 are, as a key frame says it (RFC 6386, section 9.1): behind a tag and a code of three bytes each stand both sizes in
    /// 14 bits.
    ///
    /// - Parameter frame: its first ten bytes, or more.
    /// - Returns: nil of any other frame.
    package init?(vp8KeyFrame frame: some Sequence<UInt8>) {
        let head = Array(frame.prefix(10))
        guard head.count == 10, head[0] & 1 == 0, head[3..<6].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
        let (width, height) = (Int(head[7] & 0x3F) << 8 | Int(head[6]), Int(head[9] & 0x3F) << 8 | Int(head[8]))
        guard width > 0, height > 0 else { return nil }
        self.init(width, height)
    }

    /// The same of VP8 and VP9 in Matroska, of whose tracks some writers leave the size out.
    init?(of codecID: String, keyFrame frame: ArraySlice<UInt8>) {
        switch codecID {
        case CodecIdentifiers.vp8.matroskaID: self.init(vp8KeyFrame: frame)
        case CodecIdentifiers.vp9.matroskaID:
            guard let size = VP9Header(frame)?.size else { return nil }
            self = size
        default: return nil
        }
    }
}

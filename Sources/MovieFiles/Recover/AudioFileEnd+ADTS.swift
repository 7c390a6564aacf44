/// AAC without a container: each frame begins with how long it is (ISO/IEC 13818-7, 6.2.1).
extension AudioFileEnd {
    private static let headSize = 7
    /// The longest frame that 13 bits tell.
    private static let longest: UInt64 = 8191

    /// Where its first frame begins, behind a tag of ID3; nil of any other file.
    static func begin(adts file: ReadableFile) throws(MovieFileError) -> UInt64? {
        let begin = try ID3Tag.end(in: file)
        var window = FileWindow(file)
        guard let next = try end(ofFrameAt: begin, in: &window) else { return nil }
        let following = try end(ofFrameAt: next, in: &window)
        return next >= file.size || following != nil ? begin : nil
    }

    /// Whether it ends within a frame. What follows the last one may be a tag, and what is damaged is looked over for the next.
    static func isWithinBlock(adts file: ReadableFile, from begin: UInt64) throws(MovieFileError) -> Bool {
        var (window, place) = (FileWindow(file), begin)
        while place < file.size {
            if let next = try end(ofFrameAt: place, in: &window) {
                place = next
                continue
            }
            let rest = Array(try window.bytes(headSize, at: place))
            // Not even the head is whole.
            if rest.count < headSize, isBeginning(rest) { return true }
            guard let next = try frame(behind: place, in: &window, of: file) else { return false }
            place = next
        }
        return place > file.size
    }

    /// A frame that another follows, or the file's end.
    private static func frame(
        behind place: UInt64, in window: inout FileWindow, of file: ReadableFile
    ) throws(MovieFileError) -> UInt64? {
        let last = min(file.size, place + 2 * longest)
        var next = place + 1
        while next + UInt64(headSize) <= last {
            if let end = try end(ofFrameAt: next, in: &window) {
                var behind = window
                let following = try self.end(ofFrameAt: end, in: &behind)
                if end == file.size || following != nil { return next }
            }
            next += 1
        }
        return nil
    }

    /// nil where no frame begins.
    private static func end(
        ofFrameAt place: UInt64, in window: inout FileWindow
    ) throws(MovieFileError) -> UInt64? {
        let head = Array(try window.bytes(headSize, at: place))
        guard head.count == headSize, isBeginning(head) else { return nil }
        let size = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
        return size > headSize ? place + UInt64(size) : nil
    }

    /// Twelve bits of one, and a layer of 0.
    private static func isBeginning(_ bytes: [UInt8]) -> Bool {
        bytes.first == 0xFF && (bytes.count < 2 || bytes[1] & 0xF6 == 0xF0)
    }
}

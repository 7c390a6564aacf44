package import SystemPackage

/// How long a finished Matroska file says that it lasts, changed where it stands.
///
/// matroskamux (1.22) tells the length of the longest track without the time before that begins.
package enum MatroskaDuration {
    /// - Parameters:
    ///   - missing: What the file's own word lacks where it is wrong, in nanoseconds.
    ///   - duration: What it is to say then, in nanoseconds.
    ///   - file: Open for reading and writing; it stays the caller's.
    /// - Throws: `unsupported` where it is not as muxers write it; `system`.
    package static func correct(
        missing: Int64, to duration: Int64, in file: FileDescriptor
    ) throws(MovieFileError) {
        let source = try ReadableFile(file)
        guard let (element, scale) = try find(source) else { return }
        let bytes = try source.read(upTo: 8, at: element.dataOffset)
        let told = Double(bitPattern: UInt64(bigEndianBytes: bytes[...]) ?? 0) * Double(scale)
        func isRight(_ end: Double) -> Bool { abs(end - Double(duration)) < Double(50 * MatroskaTime.millisecond) }
        guard !isRight(told) else { return }
        // Of several tracks that begin at different times it is not known which one it counted.
        if !isRight(told + Double(missing)) {
            guard isRight(try end(of: source)) else { return }
        }
        var writer = EBMLWriter()
        writer.append((Double(duration) / Double(scale)).bitPattern, length: 8)
        try DescriptorFile(descriptor: file).write(writer.bytes, at: element.dataOffset)
    }

    /// When the last of its frames, or the audio, ends, by its blocks: in nanoseconds.
    private static func end(of file: ReadableFile) throws(MovieFileError) -> Double {
        let segment = try MatroskaSegment(file, for: .describing)
        let ends = segment.tracks.map { track in
            TrackSpan(segment.frames[track.number] ?? FrameTable(), track, scale: segment.timestampScale).end
        }
        return (ends.max() ?? 0) * 1e9
    }

    /// The element, if it has eight bytes as all muxers write it, and the nanoseconds in a tick of the file.
    private static func find(_ file: ReadableFile) throws(MovieFileError) -> (element: ElementHeader, scale: UInt64)? {
        var window = FileWindow(file)
        var (position, scale): (UInt64, UInt64) = (0, 1_000_000)
        var found: ElementHeader?
        // The segment and what it says of itself are gone into, all else before its first cluster is passed over.
        while let element = ElementHeader(
            try window.bytes(ElementHeader.maximumSize, at: position), at: position), element.id != .cluster
        {
            if element.id == .timestampScale {
                scale =
                    try window.bytes(Int(min(element.size ?? 0, 8)), at: element.dataOffset).unsignedInteger ?? scale
            }
            if element.id == .duration, element.size == 8 { found = element }
            let isEntered = element.id == .segment || element.id == .info
            guard let next = isEntered ? element.dataOffset : element.end, next > position else { break }
            position = next
        }
        return found.map { ($0, scale) }
    }
}

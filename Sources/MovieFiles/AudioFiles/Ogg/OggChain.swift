import MediaTypes
package import SystemPackage

/// Ogg files behind each other (RFC 3533, section 4: chained streams). Each begins with the first pages of its streams.
///
/// GStreamer's demuxer (1.22) has other outputs for the streams of each, whose times begin again.
package struct OggChain: Sendable {
    /// All but the first.
    package let appended: AppendedMovie
    /// Whether each of them is one stream of audio, of the same codec, rate and channels, which a decoder takes for one.
    package let isOneStream: Bool

    /// - Returns: nil for any other file, and for one with one link.
    /// - Throws: `notAFile`, `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try OggChain(file) }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile) throws(MovieFileError) {
        var (cursor, links): (ByteCursor, [Link]) = (ByteCursor(file), [])
        while true {
            let offset = cursor.position
            guard let page = try OggPage.next(&cursor) else { break }
            if page.begins, links.last?.hasData != false { links.append(Link(offset: offset)) }
            guard !links.isEmpty else { return nil }
            links[links.count - 1].take(page)
        }
        guard links.count > 1 else { return nil }
        appended = AppendedMovie(from: links[1].offset, to: file.size, lasting: links.dropFirst().map(\.duration))
        isOneStream = links.allSatisfy { $0.audio != nil && $0.audio == links[0].audio }
    }
}

extension OggChain {
    private struct Link {
        /// Of its first byte.
        let offset: UInt64
        /// Whether a page has come that begins no stream.
        private(set) var hasData = false
        private var streams: [[UInt8]: Stream?] = [:]
        private var end: MediaTime?

        init(offset: UInt64) { self.offset = offset }

        /// What its only stream is; nil where there are several, or it is no audio.
        var audio: OggPacketLengths.Kind? { streams.count == 1 ? streams.values.first??.lengths.kind : nil }

        /// In seconds; nil where it has no audio that tells.
        var duration: Double? { end?.seconds }

        mutating func take(_ page: OggPage) {
            guard !page.begins else {
                let lengths = page.parts.first.flatMap { OggPacketLengths($0) }
                // Of what is no audio, too.
                streams.updateValue(lengths.map(Stream.init(lengths:)), forKey: page.serial)
                return
            }
            hasData = true
            guard var stream = streams[page.serial] ?? nil else { return }
            stream.take(page)
            streams.updateValue(stream, forKey: page.serial)
            guard page.position != .max, let position = Int(exactly: page.position) else { return }
            let (begin, skipped) = (stream.begin ?? 0, stream.lengths.skipped)
            end = max(end ?? .zero, MediaTime(samples: max(0, position - begin - skipped), rate: stream.lengths.rate))
        }
    }

    /// Audio, up to where it is known when it begins: what was cut out of a longer stream keeps its positions.
    private struct Stream {
        var lengths: OggPacketLengths
        /// Its first sample, of those that the positions count; nil where no page has told it yet.
        private(set) var begin: Int?
        private var count = 0
        /// A packet that goes on in the next page.
        private var rest: [UInt8] = []

        init(lengths: OggPacketLengths) { self.lengths = lengths }

        mutating func take(_ page: OggPage) {
            guard begin == nil, !page.parts.isEmpty else { return }
            var packets = page.parts
            packets[0] = rest + packets[0]
            rest = page.isComplete ? [] : packets.removeLast()
            for packet in packets { count += lengths.next(packet) ?? 0 }
            guard count > 0, page.position != .max, let position = Int(exactly: page.position) else { return }
            // Where it ends in its first page, not all of that is presented.
            begin = position - count > lengths.tolerance ? position - count : 0
        }
    }
}

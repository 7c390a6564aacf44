package import MediaTypes
package import SystemPackage

/// What a Musepack file says of itself: its length, and its tags, APEv2 behind its audio and ID3 before it. GStreamer (1.22) does not find out
/// reliably.
package struct MusepackFile: Sendable {
    /// As ffprobe names it: `musepack7`, `musepack8`.
    package let codec: String
    /// In hertz; nil where its head has a number that stands for none.
    package let rate: Int?
    package let channels: Int
    /// nil of versions before 8.
    package private(set) var duration: MediaTime?
    /// The APEv2 tag behind its audio; nil where none lies there.
    package let tag: APETag?
    /// What its tags say: that one, those of ID3 before the audio, and the old one behind it.
    package private(set) var metadata: MovieMetadata

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> (Head, APETag?)? in
            let head = try file.read(upTo: 64, at: try ID3Tag.end(in: file))
            if head.starts(with: "MPCK".utf8) { return (Head(ofVersion8: head), try APETag(file)) }
            guard head.starts(with: "MP+".utf8), head.count == 64 else { return nil }
            return (Head(rate: Self.rate(Int(head[10] & 3))), try APETag(file))
        }
        guard let (head, tag) = found else { return nil }
        (codec, rate, channels, duration) = (head.codec, head.rate, head.channels, head.duration)
        (self.tag, metadata) = (tag, tag?.metadata ?? MovieMetadata())
        for other in [MovieMetadata(id3TagOf: path), MovieMetadata(id3v1TagOf: path)] {
            if let other { metadata.fill(from: other) }
        }
    }

    fileprivate struct Head {
        var codec = "musepack7"
        var rate: Int?
        var channels = 2
        var duration: MediaTime?
    }

    fileprivate static func rate(_ code: Int) -> Int? {
        let rates = [44_100, 48_000, 37_800, 32_000]
        return rates.indices.contains(code) ? rates[code] : nil
    }
}

extension MusepackFile.Head {
    /// Its first packet (`SH`) says a checksum, the version, how many samples there are and how many of them are silence at the beginning,
    /// then the rate and the channels.
    fileprivate init(ofVersion8 head: [UInt8]) {
        codec = "musepack8"
        guard head.count == 64, head[4..<6].elementsEqual("SH".utf8) else { return }
        var place = 6
        /// Seven bits a byte, the highest first; the upper bit says that more follow.
        func number() -> Int {
            var value = 0
            while place < 40 {
                defer { place += 1 }
                value = (value & 0xFF_FFFF_FFFF) << 7 | Int(head[place] & 0x7F)
                if head[place] & 0x80 == 0 { break }
            }
            return value
        }
        _ = number()
        place += 5
        let (samples, silence) = (number(), number())
        (rate, channels) = (MusepackFile.rate(Int(head[place] >> 5)), Int(head[place + 1] >> 4) + 1)
        if let rate, samples > silence { duration = MediaTime(samples: samples - silence, rate: rate) }
    }
}

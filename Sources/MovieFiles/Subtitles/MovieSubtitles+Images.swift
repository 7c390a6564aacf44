import MediaTypes

/// Subtitles that are images and lie in no index.
extension MovieSubtitles {
    /// - Parameter streams: Blu-ray's or television's.
    package init(images streams: [(stream: SubtitleStream, language: TrackLanguage?)]) throws(MovieFileError) {
        var tracks: [Track] = []
        for (stream, language) in streams {
            let isBluray = stream.codec == .bluray
            let source = try TrackEntry(
                subtitles: isBluray ? "S_HDMV/PGS" : "S_DVBSUB", configuration: stream.header, name: nil,
                language: MatroskaLanguage(language), isDefault: false, roles: [])
            let packets = isBluray ? Self.displaySets(stream.packets) : stream.packets
            tracks.append(
                Track(
                    source: source, cues: packets.map { Cue(begin: $0.begin.nanoseconds, duration: nil, data: $0.data) }
                )
            )
        }
        self.init(tracks)
    }

    /// Blu-ray's segments, which lie by themselves on discs, as Matroska has them: all up to one that ends what is shown together.
    private static func displaySets(_ packets: [SubtitleStream.Packet]) -> [SubtitleStream.Packet] {
        var (sets, isComplete): ([SubtitleStream.Packet], Bool) = ([], true)
        for packet in packets {
            if isComplete { sets.append(packet) } else { sets[sets.count - 1].data += packet.data }
            isComplete = endsDisplaySet(packet.data)
        }
        return sets
    }

    /// Segments of a kind, a length and as many bytes.
    private static func endsDisplaySet(_ data: [UInt8]) -> Bool {
        var (place, kind): (Int, UInt8?) = (0, nil)
        while place + 3 <= data.count {
            kind = data[place]
            place += 3 + Int(data[place + 1]) << 8 + Int(data[place + 2])
        }
        return kind == 0x80
    }
}

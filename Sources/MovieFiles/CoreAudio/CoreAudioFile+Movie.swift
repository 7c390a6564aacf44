import MediaTypes

/// A Core Audio file as a movie: an index whose samples lie in that file.
extension CoreAudioFile {
    /// Whether its audio is described as QuickTime does it, and not as MP4.
    var isQuickTime: Bool { !["alac", "aac ", "opus"].contains(format.codec) }

    /// Frames in a part of uncompressed audio that is read at once.
    private static let framesPerChunk = 4096

    /// - Throws: `unsupported` for audio that a movie does not hold like this.
    var moov: Box {
        get throws(MovieFileError) {
            let table = try samples
            let before = UInt64(packets.priming)
            // What fills the last packet up is not there where that is not.
            let behind = isCutOff || holdsLessAtEnd ? 0 : UInt64(packets.remainder)
            let presentable = table.duration - min(table.duration, before + behind)
            let shown = min(packets.valid ?? presentable, presentable)
            var mvhd = try Box.movieHeader(timescale: format.rate, nextTrackID: 2)
            try mvhd.setDuration(shown)
            let smhd = try Box(full: "smhd") { (writer: inout ByteWriter) in writer.append(UInt32(0)) }
            let track = AddedTrack(
                id: 1, handler: "soun", isQuickTime: false, isEnabled: true, timescale: format.rate, duration: shown,
                table: table, description: try SampleEntry.descriptionBox([try entry]), mediaHeader: smhd)
            var trak = try track.trak()
            if shown < table.duration {
                trak.insert(
                    try EditList(edits: [.init(duration: shown, mediaTime: before)]).box(), after: "tkhd")
            }
            var moov = Box("moov", children: [mvhd, trak])
            try moov.write(metadata, isQuickTime: isQuickTime)
            return moov
        }
    }

    /// Whether a decoder gives no more of the last packet than is presented: those of Apple Lossless say how much they hold.
    private var holdsLessAtEnd: Bool { format.codec == "alac" && !isCutOff }

    private var samples: SampleTable {
        get throws(MovieFileError) {
            var (table, place) = (SampleTable(), audio.lowerBound)
            func sample(_ size: UInt32, _ length: UInt32, count: Int = 1) -> FragmentSample {
                FragmentSample(duration: length, size: size, isSync: true, compositionOffset: 0, count: count)
            }
            guard packets.sizes.isEmpty else {
                for (index, size) in packets.sizes.enumerated() {
                    guard place + UInt64(size) <= audio.upperBound else {
                        if isCutOff { break }
                        throw .unsupported(reason: "its list of packets is longer than its audio")
                    }
                    var length = packets.lengths.isEmpty ? format.framesPerPacket : packets.lengths[index]
                    if holdsLessAtEnd, index == packets.sizes.count - 1, packets.remainder < length {
                        length -= packets.remainder
                    }
                    table.append([sample(size, length)], at: place)
                    place += UInt64(size)
                }
                return table
            }
            let size = UInt64(format.bytesPerPacket)
            var left = Int((audio.upperBound - audio.lowerBound) / size)
            while left > 0 {
                let count = min(left, max(1, Self.framesPerChunk / Int(format.framesPerPacket)))
                table.append([sample(format.bytesPerPacket, format.framesPerPacket, count: count)], at: place)
                (left, place) = (left - count, place + UInt64(count) * size)
            }
            return table
        }
    }
}

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
            let presentable = table.duration - min(table.duration, before + UInt64(packets.remainder))
            let shown = min(packets.valid ?? presentable, presentable)
            var mvhd = try Box.movieHeader(timescale: format.rate, nextTrackID: 2)
            try mvhd.setDuration(shown)
            var tkhd = try Box(full: "tkhd", flags: 3) { (writer: inout ByteWriter) in
                writer.append(UInt64(0))
                writer.append(UInt32(1))
                writer.append(contentsOf: repeatElement(0, count: 20))
                // At full volume.
                writer.append(UInt32(0x100_0000))
                writer.append(contentsOf: TransformationMatrix(.upright, width: 0, height: 0).bytes)
                writer.append(UInt64(0))
            }
            try tkhd.setDuration(shown)
            let description = try SampleEntry.descriptionBox([try entry])
            let minf = Box(
                "minf",
                children: [
                    try Box(full: "smhd") { (writer: inout ByteWriter) in writer.append(UInt32(0)) },
                    try TextDescription.dinf(), Box("stbl", children: [description] + (try table.boxes())),
                ])
            let mdia = Box("mdia", children: try mediaHeaders(table.duration) + [minf])
            var trak = Box("trak", children: [tkhd, mdia])
            if shown < table.duration {
                trak.insert(
                    try EditList(edits: [.init(duration: shown, mediaTime: before)]).box(), after: "tkhd")
            }
            var moov = Box("moov", children: [mvhd, trak])
            try moov.write(metadata, isQuickTime: isQuickTime)
            return moov
        }
    }

    private func mediaHeaders(_ duration: UInt64) throws(MovieFileError) -> [Box] {
        var mdhd = try Box(full: "mdhd") { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(format.rate)
            writer.append(UInt32(0))
            writer.append(TrackLanguage.unknown)
            writer.append(UInt16(0))
        }
        try mdhd.setDuration(duration)
        let hdlr = try Box(full: "hdlr") { (writer: inout ByteWriter) in
            writer.append(UInt32(0))
            writer.append(FourCC("soun"))
            writer.append(contentsOf: repeatElement(0, count: 13))
        }
        return [mdhd, hdlr]
    }

    private var samples: SampleTable {
        get throws(MovieFileError) {
            var (table, place) = (SampleTable(), audio.lowerBound)
            func sample(_ size: UInt32, _ length: UInt32, count: Int = 1) -> FragmentSample {
                FragmentSample(duration: length, size: size, isSync: true, compositionOffset: 0, count: count)
            }
            guard packets.sizes.isEmpty else {
                for (index, size) in packets.sizes.enumerated() {
                    guard place + UInt64(size) <= audio.upperBound else {
                        throw .unsupported(reason: "its list of packets is longer than its audio")
                    }
                    let lengths = packets.lengths
                    table.append([sample(size, lengths.isEmpty ? format.framesPerPacket : lengths[index])], at: place)
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

package import SystemPackage

/// Data tracks in a file that is complete but for them.
extension DataTracks {
    /// In bytes, of all of them: two hours of an action camera have 200 MB.
    private static let maximumSize: UInt64 = 512 << 20

    /// Adds what of them lies in a part of their movie's time to a finished QuickTime or MP4 movie, sample by sample as it is; one that is under
    /// way when the part begins begins with it. The index is written anew.
    ///
    /// - Parameters:
    ///   - target: Open for reading and writing; it stays the caller's.
    ///   - span: of their movie's time; it ends with the other movie at the latest.
    ///   - delay: by how much all is later in the other movie, in nanoseconds.
    /// - Returns: why some are left out, in full sentences.
    /// - Throws: as ``MovieEditing/setMetadata(_:chapters:ofMovieAt:)``.
    package func add(
        to target: FileDescriptor, _ span: MovieSubtitles.Span, delay: Int64
    ) throws(MovieFileError) -> [String] {
        let file = try ReadableFile(target)
        let layout = try MovieLayout(file)
        var moov = try TopLevelBoxes.load(layout.moov, from: file)
        let header = try TimeHeader(try moov.required("mvhd"))
        let begin = Double(span.begin + delay) / 1e9
        let room = Double(header.duration) / Double(header.timescale) - begin
        let length = min(room, span.end.map { Double($0 - span.origin) / 1e9 } ?? room)
        let parts = tracks.map { $0.cut(from: $0.ticks(Double(span.origin) / 1e9), lasting: $0.ticks(length)) }
            .filter { $0.table.count > 0 }.map(\.beginningWithEdits)
        guard !parts.isEmpty else { return [] }
        guard parts.reduce(0, { $0 + $1.table.sizes.total }) <= Self.maximumSize else {
            return ["The data tracks were left out: together they have more than \(Self.maximumSize >> 20) MiB."]
        }
        let pause = UInt64((max(0, begin) * Double(header.timescale)).rounded())
        let video = try moov.firstVideoID()
        var samples = ByteWriter()
        // A size and a type come first (ISO/IEC 14496-12, 8.1.1).
        samples.append(UInt32(0))
        samples.append(FourCC("mdat"))
        for part in parts {
            var table = part.table
            for (index, size) in table.chunkSizes.enumerated() {
                let bytes = try original.file.read(upTo: Int(size), at: table.chunks[index].offset)
                guard bytes.count == size else { throw .unsupported(reason: "the movie is cut off in its data tracks") }
                table.chunks[index].offset = file.size + UInt64(samples.bytes.count)
                samples.append(contentsOf: bytes)
            }
            var edits = try EditList(exact: part.edits, timescale: part.timescale, movieTimescale: header.timescale)
            if pause > 0 { edits.edits.insert(.init(duration: pause, mediaTime: nil), at: 0) }
            var trak = try part.trak.replacingSamples(with: table, edits: edits, lasting: edits.duration)
            try trak.describe(video)
            let number = try moov.freeTrackID()
            try trak.edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in try tkhd.setTrackID(number) }
            try moov.append(track: trak, number)
        }
        var size = ByteWriter()
        size.append(UInt32(samples.bytes.count))
        let replacement = IndexReplacement(
            file: DescriptorFile(descriptor: target), layout: layout, size: file.size)
        try replacement.replace(with: try moov.serialized(), samples: size.bytes + samples.bytes.dropFirst(4))
        return []
    }
}

extension JoinedPart.Track {
    /// The same with a first sample that begins when it is first shown. An edit alone would say so, but ffmpeg shows all that follow too early by
    /// what it hides, and programs that read telemetry look at no edits.
    fileprivate var beginningWithEdits: Self {
        var track = self
        let hidden = edits.lazy.compactMap(\.mediaTime).first ?? 0
        guard hidden > 0, track.table.shortenFirst(by: hidden) else { return self }
        track.edits = edits.map { ($0.mediaTime.map { $0 - min($0, hidden) }, $0.length) }
        return track
    }
}

extension SampleTable {
    /// How many bytes each chunk has.
    fileprivate var chunkSizes: [UInt64] {
        var cursor = SampleCursor(self)
        return chunks.map { cursor.advance($0.sampleCount) }
    }
}

extension Box {
    /// The number of a `moov`'s first track of video.
    fileprivate func firstVideoID() throws(MovieFileError) -> UInt32? {
        for trak in all("trak") where try trak.required("mdia").required("hdlr").handlerType() == "vide" {
            return try TrackHeader(try trak.required("tkhd")).trackID
        }
        return nil
    }

    /// Lets a `trak` that describes others (`cdsc`) describe the video, and refer to nothing else.
    fileprivate mutating func describe(_ video: UInt32?) throws(MovieFileError) {
        let isDescription = descendant("tref", "cdsc") != nil
        removeChildren { $0.type == "tref" }
        guard isDescription, let video else { return }
        let reference = try Box("cdsc") { (writer: inout ByteWriter) in writer.append(video) }
        insert(Box("tref", children: [reference]), after: "tkhd")
    }
}

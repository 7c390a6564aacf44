extension Box {
    /// Gives a `trak` of the other kind of file the form that it has in one of this kind.
    ///
    /// - Parameter isChapters: See `MovieFileType.refusal`.
    mutating func convertTrack(
        to fileType: MovieFileType, handler: FourCC, isChapters: Bool
    ) throws(MovieFileError) {
        // Chapters have the same form in both.
        let handler = handler == "text" && !isChapters && fileType == .mp4 ? "sbtl" : handler
        let samplesPerPacket = try commonDuration()
        try edit(["mdia"]) { (mdia: inout Box) throws(MovieFileError) in
            try mdia.edit(["mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
                if fileType == .mp4 { try mdhd.setISOLanguage() }
            }
            try mdia.edit(["hdlr"]) { (hdlr: inout Box) throws(MovieFileError) in
                try hdlr.convertHandler(to: fileType, handler: handler)
            }
            try mdia.edit(["minf"]) { (minf: inout Box) throws(MovieFileError) in
                try minf.convertMediaInformation(to: fileType, handler: handler, isChapters: isChapters)
                try minf.edit(["stbl", "stsd"]) { (stsd: inout Box) throws(MovieFileError) in
                    try stsd.convertDescriptions(
                        to: fileType, handler: handler, isChapters: isChapters, samplesPerPacket: samplesPerPacket)
                }
            }
        }
    }

    /// How long the first sample but one of a `trak` lasts, in the track's timescale: of audio that begins with a longer
    /// one, what all others do.
    private func commonDuration() throws(MovieFileError) -> UInt32 {
        var reader = ByteReader(try required("mdia").required("minf").required("stbl").required("stts"))
        try reader.skip(4)
        let count = Int(try reader.read(UInt32.self))
        let runs = try reader.readTable(min(count, 2) * 2, of: UInt32.self)
        let isFirstOdd = runs.count == 4 && runs[0] == 1
        return runs.isEmpty ? 0 : runs[isFirstOdd ? 3 : 1]
    }

    /// `hdlr`: a component with a Pascal string in QuickTime, with a C string in ISO files, where most fields are reserved.
    private mutating func convertHandler(to fileType: MovieFileType, handler: FourCC) throws(MovieFileError) {
        var reader = ByteReader(self)
        try reader.skip(24)
        var name = reader.remaining
        if fileType == .mp4 {
            if let length = name.first, Int(length) == name.count - 1 { name = name.dropFirst() }
        }
        while name.last == 0 { name = name.dropLast() }
        self = try Box(full: "hdlr") { (writer: inout ByteWriter) in
            writer.append(fileType == .mov ? FourCC("mhlr").rawValue : 0)
            writer.append(handler)
            writer.append(table: [UInt32](repeating: 0, count: 3))
            if fileType == .mov { writer.append(UInt8(min(name.count, 255))) }
            writer.append(contentsOf: fileType == .mov ? name.prefix(255) : name)
            if fileType == .mp4 { writer.append(UInt8(0)) }
        }
    }

    private mutating func convertMediaInformation(
        to fileType: MovieFileType, handler: FourCC, isChapters: Bool
    ) throws(MovieFileError) {
        switch fileType {
        case .mp4:
            // QuickTime's data handler; in ISO files `hdlr` has no business here.
            removeChildren { $0.type == "hdlr" }
            if !isChapters { try replaceHeader("gmhd", with: Box(full: "nmhd") { _ in }) }
            try edit(["dinf"]) { (dinf: inout Box) throws(MovieFileError) in try dinf.nameDataReferences() }
        case .mov:
            let header =
                handler == "tmcd"
                ? try TimeCodeTrack.mediaHeader() : try AddedTrack.gmhd(TextDescription.mediaHeader())
            for type: FourCC in ["nmhd", "sthd"] { try replaceHeader(type, with: header) }
            let dataHandler = try Box(full: "hdlr") { (writer: inout ByteWriter) in
                writer.append(FourCC("dhlr"))
                writer.append(FourCC("url "))
                writer.append(table: [UInt32](repeating: 0, count: 3))
                writer.append(UInt8(0))
            }
            // Behind the media's own header.
            if self["hdlr"] == nil, let header = children?.first?.type { insert(dataHandler, after: header) }
        }
    }

    private mutating func replaceHeader(_ type: FourCC, with box: Box) throws(MovieFileError) {
        guard let index = children?.firstIndex(where: { $0.type == type }) else { return }
        children?[index] = box
    }

    /// QuickTime's `alis` references, all of which mean this file by now, as ISO's `url `.
    private mutating func nameDataReferences() throws(MovieFileError) {
        let count = try dataReferences().count
        let dref = try Box(full: "dref") { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt32(truncatingIfNeeded: count))
            for _ in 0..<count { try writer.fullBox("url ", flags: 1) { _ in } }
        }
        payload = try dref.serialized()[...]
    }

    private mutating func convertDescriptions(
        to fileType: MovieFileType, handler: FourCC, isChapters: Bool, samplesPerPacket: UInt32
    ) throws(MovieFileError) {
        var entries = try SampleEntry.entries(of: self, handler: handler)
        for index in entries.indices {
            switch handler {
            case "vide": try entries[index].convertFrames(to: fileType)
            case "soun" where fileType == .mp4: try entries[index].convertAudioToISO()
            case "soun": try entries[index].convertAudioToQuickTime(samplesPerPacket: samplesPerPacket)
            case "sbtl" where fileType == .mp4 && entries[index].format == "text":
                entries[index] = try .timedText(dataReference: entries[index].fields)
            default: break
            }
        }
        payload = try SampleEntry.descriptionBox(entries).payload
    }
}

extension Box {
    /// Gives a `moov` of the other kind of file what readers of this kind look for.
    mutating func convertMovie(to fileType: MovieFileType) throws(MovieFileError) {
        // Descriptors of a kind that QuickTime never knew.
        if fileType == .mov { removeChildren { $0.type == "iods" } }
        if fileType == .mp4 {
            try edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in
                // QuickTime's preview, poster and selection times are reserved in ISO files.
                let matrix = TimeHeader.movieMatrixOffset(version: try TimeHeader(mvhd).version)
                try mvhd.overwritePayload(at: matrix + 36, with: [UInt8](repeating: 0, count: 24))
            }
            // QuickTime may end its list with a zero.
            try edit(["udta"]) { (udta: inout Box) in
                if udta.payload.allSatisfy({ $0 == 0 }) { udta.payload = [] }
            }
        }
        // Without the header, whose date stays what it is.
        var texts = self
        texts.removeChildren { $0.type == "mvhd" }
        let metadata = try MovieMetadata(moov: texts)
        try writeTexts(of: metadata, isQuickTime: fileType == .mov)
    }
}

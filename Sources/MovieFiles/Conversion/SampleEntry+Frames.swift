extension SampleEntry {
    /// Gives the description of frames the form of the other kind of file.
    mutating func convertFrames(to fileType: MovieFileType) throws(MovieFileError) {
        if fileType == .mp4 {
            // QuickTime's version, vendor and qualities are reserved in ISO files.
            var writer = ByteWriter()
            writer.append(contentsOf: fields.prefix(8))
            writer.append(contentsOf: repeatElement(0, count: 16))
            writer.append(contentsOf: fields.dropFirst(24))
            fields = writer.bytes[...]
            // QuickTime may end its list with a zero.
            if trailer.allSatisfy({ $0 == 0 }) { trailer = [] }
        }
        for index in extensions.indices where extensions[index].type == "colr" {
            try convertColour(at: index, to: fileType)
        }
    }

    /// `colr`: QuickTime's `nclc` is ISO's `nclx` without the range (QuickTime File Format, "Color Parameter Atoms").
    private mutating func convertColour(at index: Int, to fileType: MovieFileType) throws(MovieFileError) {
        let box = extensions[index]
        guard let colour = try ColourInformation(box) else { return }
        // A full range stays in the form that can tell it, which QuickTime's readers take too.
        if fileType == .mov, colour.isFullRange != false { return }
        if fileType == .mp4, colour.isFullRange != nil { return }
        let range = try VideoFormat(self).colour?.isFullRange ?? false
        extensions[index] = try Box("colr") { (writer: inout ByteWriter) in
            writer.append(FourCC(fileType == .mov ? "nclc" : "nclx"))
            writer.append(colour.primaries)
            writer.append(colour.transfer)
            writer.append(colour.matrix)
            if fileType == .mp4 { writer.append(UInt8(range ? 0x80 : 0)) }
        }
    }
}

package import SystemPackage

extension MovieEditing {
    /// Has the track of time codes of a part of a movie begin with the number of its first frame.
    ///
    /// An edit that begins within its sample says the same, but ffmpeg, and whatever is built on it, reads the number alone.
    ///
    /// - Parameter file: QuickTime or MP4 that nobody else has, and that has no name yet.
    package static func settleTimeCode(of file: FileDescriptor) throws(MovieFileError) {
        let (readable, target) = (try ReadableFile(file), DescriptorFile(descriptor: file))
        let contents = try MovieContents(readable)
        guard let code = try TimeCode.first(in: contents, readable) else { return }
        for trak in contents.moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "tmcd", let elst = trak.descendant("edts", "elst") else {
                continue
            }
            let edits = try EditList(elst).edits
            let samples = try SampleLocations(try mdia.required("minf").required("stbl"), limit: 2).samples
            guard edits.count == 1, edits[0].mediaTime ?? 0 > 0, samples.count == 1 else { continue }
            var writer = ByteWriter()
            writer.append(code.frameNumber)
            try target.write(writer.bytes, at: samples[0].offset)
            // Version and flags, the number of edits, how long the first is, then where in the media it begins.
            let isWide = elst.payload.first == 1
            try target.write(
                [UInt8](repeating: 0, count: isWide ? 8 : 4), at: elst.payloadOffset + (isWide ? 16 : 12))
        }
    }
}

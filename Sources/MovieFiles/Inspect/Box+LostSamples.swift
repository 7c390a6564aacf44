extension Box {
    /// Whether a `moov` lists samples that do not lie wholly in a file of this size.
    func lacksSamples(before end: UInt64) throws(MovieFileError) -> Bool {
        for trak in all("trak") {
            let mdia = try trak.required("mdia")
            let stbl = try mdia.required("minf").required("stbl")
            var bytesPerFrame: Int?
            if try mdia.required("hdlr").handlerType() == "soun", let stsd = stbl["stsd"],
                let entry = try SampleEntry.entries(of: stsd, handler: "soun").first
            {
                bytesPerFrame = try AudioFields(entry).bytesPerFrame
            }
            let table = try SampleTable(stbl, bytesPerFrame: bytesPerFrame)
            var cursor = SampleCursor(table)
            for chunk in table.chunks {
                let size = cursor.advance(chunk.sampleCount)
                if chunk.offset > end || size > end - chunk.offset { return true }
            }
        }
        return false
    }
}

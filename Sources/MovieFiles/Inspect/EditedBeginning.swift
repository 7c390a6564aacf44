package import MediaTypes
package import SystemPackage

/// By how much the frame that a movie's edit begins with begins before the edit itself.
package enum EditedBeginning {
    /// Reads the times of the first video track's samples. Blocks.
    ///
    /// - Returns: the time from the frame's own beginning to the edit's, such as 0.8 s of a frame that lasts a second; nil where the edit
    ///   begins with a frame, where there is none, and of a movie in fragments.
    /// - Throws: `notAMovie`, `invalidBox`, `system`.
    package static func lead(in path: FilePath) throws(MovieFileError) -> MediaTime? {
        let contents = try ReadableFile.open(path) { (file) throws(MovieFileError) in try MovieContents(file) }
        guard contents.fragments == nil else { return nil }
        for trak in contents.moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "vide" else { continue }
            let start = try trak.firstPresented
            guard start > 0, let stbl = mdia.descendant("minf", "stbl"),
                let since = try SampleTable(stbl).sample(shownAt: start)?.since
            else { return nil }
            let lead = Int64(clamping: start) - since
            let timescale = try TimeHeader(try mdia.required("mdhd")).timescale
            return lead > 0 ? MediaTime(samples: Int(lead), rate: Int(timescale)).clamped : nil
        }
        return nil
    }
}

package import SystemPackage

/// How many frames of the first video track a movie's edits show.
package enum ShownFrames {
    /// Reads the samples' times. Blocks.
    ///
    /// - Returns: nil where no edits say so, and of a movie in fragments.
    /// - Throws: `notAMovie`, `invalidBox`, `system`.
    package static func count(in path: FilePath) throws(MovieFileError) -> Int? {
        let contents = try ReadableFile.open(path) { (file) throws(MovieFileError) in try MovieContents(file) }
        guard contents.fragments == nil else { return nil }
        let movie = try TimeHeader(try contents.moov.required("mvhd")).timescale
        for trak in contents.moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "vide" else { continue }
            guard let elst = trak.descendant("edts", "elst") else { return nil }
            let timescale = try TimeHeader(try mdia.required("mdhd")).timescale
            var shown: [Range<Int64>] = []
            for edit in try EditList(elst).edits {
                guard let start = edit.mediaTime.map({ Int64(clamping: $0) }) else { continue }
                let length = Int64(clamping: try edit.duration.rescaled(from: movie, to: timescale))
                let (end, overflow) = start.addingReportingOverflow(length)
                // One without a length goes on to the end.
                shown.append(start..<(length == 0 || overflow ? .max : end))
            }
            var count = 0
            try SampleTable(try mdia.required("minf").required("stbl")).forEachTime { _, time in
                if shown.contains(where: { $0.contains(time) }) { count += 1 }
            }
            return count
        }
        return nil
    }
}

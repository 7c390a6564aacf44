package import MediaTypes
package import SystemPackage

/// What a movie's index tells of the first and the last frame that it presents, which their decoder does not know.
package struct EdgeFrames: Sendable, Hashable {
    /// From the first frame's own beginning to that of the edit which begins with it, such as 0.8 s of a frame that lasts a second; nil
    /// where the edit begins with a frame.
    package let lead: MediaTime?
    /// When the last frame is presented, in the media's time, and not before the edit begins.
    package let last: Range<MediaTime>?

    /// Reads the times of the first video track's samples. Blocks.
    ///
    /// - Returns: nil of a movie in fragments, and where there is no video.
    /// - Throws: `notAMovie`, `invalidBox`, `system`.
    package init?(_ path: FilePath) throws(MovieFileError) {
        let contents = try ReadableFile.open(path) { (file) throws(MovieFileError) in try MovieContents(file) }
        guard contents.fragments == nil else { return nil }
        for trak in contents.moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "vide", let stbl = mdia.descendant("minf", "stbl") else {
                continue
            }
            let table = try SampleTable(stbl)
            let timescale = try TimeHeader(try mdia.required("mdhd")).timescale
            let shown = try trak.presentedMedia(try TimeHeader(try contents.moov.required("mvhd")).timescale)
            func time(_ ticks: Int64) -> MediaTime { MediaTime(samples: Int(ticks), rate: Int(timescale)).clamped }
            let start = Int64(clamping: shown.lowerBound)
            let first = shown.lowerBound > 0 ? table.sample(shownAt: shown.lowerBound) : nil
            lead = first.flatMap { $0.since < start ? time(start - $0.since) : nil }
            last = table.sample(shownAt: shown.upperBound - 1).flatMap { index, since in
                let (begin, end) = (max(start, since), since.addingReportingOverflow(Int64(table.durations[index])))
                let stop = min(end.overflow ? .max : end.partialValue, Int64(clamping: shown.upperBound))
                return stop > begin ? time(begin)..<time(stop) : nil
            }
            return
        }
        return nil
    }
}

extension Box {
    /// From the first to the last moment of a `trak`'s media that its edits present, in the track's ticks.
    fileprivate func presentedMedia(_ movieTimescale: UInt32) throws(MovieFileError) -> Range<UInt64> {
        let all = UInt64(Int64.max)
        guard let elst = descendant("edts", "elst") else { return 0..<all }
        let timescale = try TimeHeader(try required("mdia").required("mdhd")).timescale
        let edits = try EditList(elst).edits
        guard let start = edits.lazy.compactMap(\.mediaTime).first, start < all else { return 0..<all }
        guard let last = edits.last(where: { $0.mediaTime != nil }), let begin = last.mediaTime, last.duration > 0
        else {
            return start..<all
        }
        let (end, isTooLate) = begin.addingReportingOverflow(
            try last.duration.rescaled(from: movieTimescale, to: timescale))
        return start..<(isTooLate ? all : max(start + 1, min(end, all)))
    }
}

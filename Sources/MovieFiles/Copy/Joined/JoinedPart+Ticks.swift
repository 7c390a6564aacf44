/// Movies whose frames are counted in different ticks, as one track counts them.
extension [JoinedPart] {
    /// For each of their video tracks, in how many ticks a second all times of all movies are whole; as many as the first movie counts where
    /// that would be too many.
    var videoTimescales: [UInt32] {
        let timescales = map { part in part.tracks.filter(\.isVideo).map(\.timescale) }
        return (timescales.first ?? []).indices.map { index in
            let all = timescales.compactMap { $0.indices.contains(index) ? $0[index] : nil }
            let common = all.reduce(UInt64(1)) { $0.leastCommonMultiple(with: UInt64($1)) }
            return common <= JoinedMovie.finestTimescale ? UInt32(common) : all[0]
        }
    }
}

extension JoinedPart {
    /// Counts frames in other ticks, where those are whole parts of its own.
    ///
    /// - Parameter timescales: of the video tracks, in their order.
    /// - Throws: `unsupported` where a time is too long for that.
    mutating func countVideo(in timescales: [UInt32]) throws(MovieFileError) {
        let videos = tracks.indices.filter { tracks[$0].isVideo }
        for (index, timescale) in zip(videos, timescales) {
            let own = tracks[index].timescale
            guard own > 0, timescale != own, timescale.isMultiple(of: own) else { continue }
            try tracks[index].multiplyTicks(by: timescale / own)
        }
    }
}

extension JoinedPart.Track {
    var isVideo: Bool { source.handler == "vide" }

    fileprivate mutating func multiplyTicks(by factor: UInt32) throws(MovieFileError) {
        guard let table = table.multiplied(by: factor) else {
            throw .unsupported(reason: "a frame of it lasts too long to be counted as the others are")
        }
        func multiplied(_ time: UInt64) throws(MovieFileError) -> UInt64 {
            let (product, isTooLarge) = time.multipliedReportingOverflow(by: UInt64(factor))
            guard !isTooLarge, product < 1 << 62 else {
                throw .unsupported(reason: "it lasts longer than any movie can")
            }
            return product
        }
        var edits: [(mediaTime: UInt64?, length: UInt64)] = []
        for edit in self.edits {
            var mediaTime = edit.mediaTime
            if let own = mediaTime { mediaTime = try multiplied(own) }
            edits.append((mediaTime, try multiplied(edit.length)))
        }
        let timescale = timescale * factor
        try trak.edit(["mdia", "mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
            try mdhd.setTimescale(timescale)
        }
        (self.table, self.edits, self.timescale) = (table, edits, timescale)
    }
}

extension UInt64 {
    /// The largest number where that has no space.
    func leastCommonMultiple(with other: UInt64) -> UInt64 {
        var (a, b) = (self, other)
        while b != 0 { (a, b) = (b, a % b) }
        let (product, isTooLarge) = (self / Swift.max(1, a)).multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}

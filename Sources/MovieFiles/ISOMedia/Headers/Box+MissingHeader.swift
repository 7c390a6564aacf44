import MediaTypes

extension Box {
    /// Gives a `moov` the header that it lacks (ISO/IEC 14496-12 section 8.2.2): how long a tick is that its tracks are edited in, and
    /// nothing else.
    mutating func addMissingHeader() throws(MovieFileError) {
        guard self["mvhd"] == nil, self["trak"] != nil else { return }
        let timescale = try likelyTimescale()
        let longest = try all("trak").map { (trak) throws(MovieFileError) in
            try TrackHeader(try trak.required("tkhd")).duration
        }.max()
        var mvhd = try Self.movieHeader(timescale: timescale, nextTrackID: .max)
        try mvhd.setDuration(longest ?? 0)
        children?.insert(mvhd, at: 0)
    }

    /// Gives the tracks of a `moov` that say nothing of how their samples are coded a list of such descriptions, which is empty: so they are
    /// told and left out, and the others are read.
    mutating func addMissingDescriptions() throws(MovieFileError) {
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            guard let table = trak.descendant("mdia", "minf", "stbl"), table["stsd"] == nil else { return }
            let empty = try SampleEntry.descriptionBox([])
            try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) in stbl.children?.insert(empty, at: 0) }
        }
    }

    /// Ticks in a second of a movie that does not say how many, as its tracks' lengths tell: each is there in the movie's ticks and
    /// in its own.
    func likelyTimescale() throws(MovieFileError) -> UInt32 {
        for trak in all("trak") {
            let told = try TrackHeader(try trak.required("tkhd")).duration
            let media = try TimeHeader(try trak.required("mdia").required("mdhd"))
            guard told > 0, media.duration > 0 else { continue }
            let guess = Double(told) * Double(media.timescale) / Double(media.duration)
            // What an edit leaves out of the media makes the guess a little smaller.
            let usual = [600, 1000, 30_000, 44_100, 48_000, 90_000, 10_000_000].min {
                abs(Double($0) - guess) < abs(Double($1) - guess)
            }
            if let usual, abs(Double(usual) - guess) < 0.1 * guess { return UInt32(usual) }
            return UInt32(min(max(guess.rounded(), 1), Double(UInt32.max)))
        }
        return 1000
    }
}

/// The ticks that a movie's tracks are edited in.
package enum MovieTimescale {
    /// - Parameter bytes: A `moov` box that does not say it.
    /// - Returns: nil where it is damaged.
    package static func likely(inIndex bytes: [UInt8]) -> UInt32? { try? Box(bytes, at: 0).likelyTimescale() }
}

package import SystemPackage

/// The tracks of a movie that are neither video, audio, text nor time code, such as the telemetry of action cameras and what phones measure
/// (timed metadata), for another file whose video and audio are made in another way.
package struct DataTracks: Sendable {
    /// Keeps the file open.
    let original: MovieOriginal
    let tracks: [JoinedPart.Track]
    /// Of each that is left out, why, in a full sentence.
    package private(set) var omissions: [String] = []

    package var isEmpty: Bool { tracks.isEmpty }

    /// What their samples take, in bytes.
    package var size: UInt64 { tracks.reduce(0) { $0 + $1.table.sizes.total } }

    /// Whether a track is one, by what it is for (ISO/IEC 14496-12, 8.4.3): not video, audio, text, a layer of the frames, time code, or what
    /// MPEG-4 says of a scene or a server of streams.
    package static func isOne(handler: String) -> Bool { !others.contains(handler) }

    private static let others: Set = [
        "vide", "soun", "text", "sbtl", "subt", "subp", "clcp", "auxv", "pict", "tmcd", "hint", "odsm", "sdsm", "MPEG",
        "alis", "url ",
    ]

    /// Opens a movie and reads its index. Blocks.
    ///
    /// - Parameter type: what they go into; of a movie of that type all are taken.
    /// - Throws: as ``MovieOriginal``.
    package init(of path: FilePath, for type: MovieFileType) throws(MovieFileError) {
        original = try MovieOriginal(path)
        let moov = original.source.moov
        let timescale = try TimeHeader(try moov.required("mvhd")).timescale
        let chapters = try moov.chapterTrackIDs()
        var tracks: [JoinedPart.Track] = []
        for trak in moov.all("trak") {
            let mdia = try trak.required("mdia")
            let handler = try mdia.required("hdlr").handlerType()
            let number = try TrackHeader(try trak.required("tkhd")).trackID
            guard Self.isOne(handler: handler.description), !chapters.contains(number) else { continue }
            do throws(MovieFileError) {
                let stsd = try mdia.required("minf").required("stbl").required("stsd")
                let entries = try SampleEntry.entries(of: stsd, handler: handler)
                try trak.expectCopyable(entries)
                let source = try CopiedTrack(
                    trak, entries: entries, fileSize: original.file.size, movieTimescale: timescale)
                guard source.table.count > 0, let format = entries.first?.format else { continue }
                if original.source.fileType != type,
                    let reason = type.refusal(handler: handler, format: format, isChapters: false)
                {
                    omissions.append("A data track (\(format)) was left out: \(reason).")
                    continue
                }
                tracks.append(
                    .init(
                        trak: trak, entries: entries, source: source, table: source.table,
                        edits: try source.exactEdits(movieTimescale: timescale), timescale: source.timescale))
            } catch {
                guard case .unsupported(let reason) = error else { throw error }
                omissions.append("A data track was left out: \(reason).")
            }
        }
        self.tracks = tracks
    }
}

import Encoding
import GStreamer
import MediaDecoding
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

extension MovieFeed {
    /// What is handed to a pipeline.
    struct Content: Sendable {
        enum Kind: Sendable {
            /// Buffers in order, until the closure returns false; what kept it from that, in words. Blocks. Each is a frame with a time, or a
            /// piece of a file.
            case pushed(isTimed: Bool, handOut: @Sendable ((Buffer) -> Bool) -> String?)
            /// So many bytes, of which any are read, so that a demuxer does with them what it does with a file.
            case fetched(size: UInt64, read: @Sendable (UInt64, Int) throws(GStreamerError) -> Buffer)
        }

        var caps: Caps
        var kind: Kind
        /// Of which element it is handed out.
        var name = "movie"
        /// Whether these are samples, which nothing has to parse.
        var isDecoded = false
        /// What libavcodec has left out as damaged, so far.
        var damage = Locked(DecodedMedia.Damage())

        /// What the pipeline begins with.
        var nodes: [PipelineDescription.Node] {
            var isTimed = false
            if case .pushed(let timed, _) = kind { isTimed = timed }
            let source = [
                PipelineDescription.Node.make(
                    "appsrc", name: name,
                    [
                        "format": isTimed ? "time" : "bytes", "block": true, "max-bytes": .int(MovieFeed.waitingBytes),
                        "caps": .caps(caps),
                    ])
            ]
            // What it finds itself in bytes that it fetches (1.22) comes before or after the source's caps by chance, and where the two
            // differ, the wrong parser has been taken.
            return isDecoded ? source : source + [.make("parsebin", name: "streams", ["sink-caps": .caps(caps)])]
        }
    }
}

extension MovieFeed.Content {
    /// A movie of a few frames.
    init(_ movie: SparseMovie) {
        caps = Caps("video/quicktime", [:])
        kind = .pushed(isTimed: false) { push in
            do throws(MovieFileError) {
                try movie.forEachPiece { bytes in
                    bytes.withUnsafeBytes { push(Buffer(copying: $0, presentationTime: nil, duration: nil)) }
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
    }

    /// A movie with another index before it. qtdemux (1.22) knows of several edits only where it fetches.
    ///
    /// - Throws: ``GStreamerError`` where the file cannot be opened.
    init(_ movie: ReindexedMovie, of file: InputFile) throws(GStreamerError) {
        caps = Caps("video/quicktime", [:])
        let bytes: ReindexedBytes
        do throws(MovieFileError) { bytes = try movie.opened(FilePath(file.location)) } catch {
            throw GStreamerError(element: "movie", message: "\(error)")
        }
        kind = Self.fetched(bytes.size) { (count, offset) throws(MovieFileError) in
            try bytes.read(upTo: count, at: offset)
        }
    }

    /// Bytes that the demuxer asks for where it wants them.
    private static func fetched(
        _ size: UInt64, _ read: @escaping @Sendable (Int, UInt64) throws(MovieFileError) -> [UInt8]
    ) -> Kind {
        .fetched(size: size) { (offset, count) throws(GStreamerError) in
            do throws(MovieFileError) {
                return try read(count, offset).withUnsafeBytes {
                    Buffer(copying: $0, presentationTime: nil, duration: nil)
                }
            } catch {
                throw GStreamerError(element: "movie", message: "\(error)")
            }
        }
    }

    /// A file without what its demuxer does not get along with.
    ///
    /// - Throws: ``GStreamerError`` where the file cannot be opened.
    init(_ kept: KeptBytes, of file: InputFile, _ container: InputContainer) throws(GStreamerError) {
        let bytes: KeptFile
        do throws(MovieFileError) { bytes = try kept.opened(FilePath(file.location)) } catch {
            throw GStreamerError(element: "movie", message: "\(error)")
        }
        let head = (try? bytes.read(upTo: 3, at: 0)) ?? []
        caps =
            switch head {
            case _ where container == .matroska: Caps("video/x-matroska", [:])
            case Array("FLV".utf8): Caps("video/x-flv", [:])
            case [0x06, 0x0E, 0x2B]: Caps("application/mxf", [:])
            case [0x1F, 0x07, 0x00]: Caps("video/x-dv", ["systemstream": .bool(true)])
            case Array("Ogg".utf8): Caps("application/ogg", [:])
            case Array("fLa".utf8): Caps("audio/x-flac", [:])
            case Array("FOR".utf8): Caps("audio/x-aiff", [:])
            // What lies behind the tag is found by GStreamer.
            case Array("ID3".utf8): Caps("application/x-id3", [:])
            default: Caps("audio/mpeg", ["mpegversion": .int(1)])
            }
        kind = Self.fetched(kept.size) { (count, offset) throws(MovieFileError) in
            try bytes.read(upTo: count, at: offset)
        }
    }

    /// Audio as another file.
    ///
    /// - Parameter location: of the file that it was read of.
    init(_ audio: RewrappedAudio, of location: String) {
        var isLATM = false
        if case .latm = audio { isLATM = true }
        caps = Caps(audio.mediaType, isLATM ? ["mpegversion": .int(4), "stream-format": .string("loas")] : [:])
        kind = .pushed(isTimed: false) { push in
            do throws(MovieFileError) {
                try audio.forEachPiece(of: FilePath(location)) { bytes in
                    bytes.withUnsafeBytes { push(Buffer(copying: $0, presentationTime: nil, duration: nil)) }
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
    }

    /// A GIF's frames for its decoder, with their times. Its demuxer (1.22) knows none, and reads on for ever behind the last frame.
    init(_ gif: GIFIndex, of file: InputFile) {
        var fields: [String: FieldValue] = [
            "parsed": .bool(true), "width": .int(Int64(gif.width)), "height": .int(Int64(gif.height)),
        ]
        fields["framerate"] = gif.rate.map { .fraction($0) }
        caps = Caps(SourceStream.gif, fields)
        kind = .pushed(isTimed: true) { push in
            do throws(MovieFileError) {
                try gif.forEachFrame(of: FilePath(file.location)) { frame, bytes in
                    bytes.withUnsafeBytes {
                        push(Buffer(copying: $0, presentationTime: frame.time, duration: frame.duration))
                    }
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}

extension GIFIndex {
    /// What is said of how it becomes a movie, or another GIF.
    func exportNotes(in container: Container) -> [String] {
        var notes: [String] = []
        if !isWhole {
            notes.append(
                "The GIF is cut off: its \(frames.count) whole frame\(frames.count == 1 ? " is" : "s are") there.")
        }
        if hastyFrameCount > 0, frames.count > 1 {
            let subject = hastyFrameCount == 1 ? "frame is" : "frames are"
            notes.append("\(hastyFrameCount) \(subject) shown for 0.1 s and not for less than 0.02 s, as browsers do.")
        }
        if let repeats, frames.count > 1, container != .gif {
            let times = repeats == 0 ? "for ever" : repeats == 1 ? "once more" : "\(repeats) times more"
            notes.append("The GIF shows its frames \(times); the movie shows them once.")
        }
        if let whole = wholeLastDuration, frames.count > 1 {
            let seconds = (whole.seconds * 100).rounded() / 100
            notes.append(
                "The GIF shows its last frame for \(seconds) s; the \(container == .gif ? "new one" : "movie") ends 0.04 s after it begins."
            )
        }
        return notes
    }
}

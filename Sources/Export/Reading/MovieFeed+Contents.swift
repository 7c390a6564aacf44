import GStreamer
import MovieFiles
import SystemPackage

extension MovieFeed {
    /// What is handed to a pipeline.
    struct Content: Sendable {
        fileprivate var caps: Caps
        /// Whether each buffer is a frame with a time, and not a piece of a file.
        fileprivate var isTimed: Bool
        /// Hands out buffers in order, until the closure returns false; what kept it from that, in words. Blocks.
        var handOut: @Sendable ((Buffer) -> Bool) -> String?

        /// What the pipeline begins with.
        var nodes: [PipelineDescription.Node] {
            [
                .make(
                    "appsrc", name: "movie",
                    [
                        "format": isTimed ? "time" : "bytes", "block": true, "max-bytes": .int(MovieFeed.waitingBytes),
                        "caps": .caps(caps),
                    ]), .make("parsebin", name: "streams"),
            ]
        }
    }
}

extension MovieFeed.Content {
    /// A movie of a few frames.
    init(_ movie: SparseMovie) {
        (caps, isTimed) = (Caps("video/quicktime", [:]), false)
        handOut = { push in
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

    /// A movie with another index before it.
    init(_ movie: ReindexedMovie, of file: InputFile) {
        (caps, isTimed) = (Caps("video/quicktime", [:]), false)
        handOut = { push in
            do throws(MovieFileError) {
                try movie.forEachPiece(of: FilePath(file.location)) { piece in
                    var bytes = piece
                    MovieHeaderEdit.apply(to: &bytes)
                    return bytes.withUnsafeBytes { push(Buffer(copying: $0, presentationTime: nil, duration: nil)) }
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
        (caps, isTimed) = (Caps(SourceStream.gif, fields), true)
        handOut = { push in
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
    /// What is said of how it becomes a movie.
    var exportNotes: [String] {
        var notes: [String] = []
        if !isWhole {
            notes.append(
                "The GIF is cut off: its \(frames.count) whole frame\(frames.count == 1 ? " is" : "s are") there.")
        }
        if hastyFrameCount > 0, frames.count > 1 {
            let subject = hastyFrameCount == 1 ? "frame is" : "frames are"
            notes.append("\(hastyFrameCount) \(subject) shown for 0.1 s and not for less than 0.02 s, as browsers do.")
        }
        if let repeats, frames.count > 1 {
            let times = repeats == 0 ? "for ever" : repeats == 1 ? "once more" : "\(repeats) times more"
            notes.append("The GIF shows its frames \(times); the movie shows them once.")
        }
        if let whole = wholeLastDuration, frames.count > 1 {
            let seconds = (whole.seconds * 100).rounded() / 100
            notes.append("The GIF shows its last frame for \(seconds) s; the movie ends 0.04 s after it begins.")
        }
        return notes
    }
}

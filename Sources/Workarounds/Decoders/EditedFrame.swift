package import GStreamer
import MediaTypes
import Threads

/// GStreamer 1.22, h264parse and h265parse: goes with the version that keeps a frame's length as the index tells it; `WorkaroundTests` “h264parse, the length of a frame that lasts longer than the rest”.
///
/// Lets the frame that is under way when an edit begins begin with the edit, as players show it.
///
/// Decoders leave out what ends before the edit begins, and know the length of a frame from its parser, which (1.22) takes the one that the
/// stream's rate has: a frame that lasts for longer, as phones and screen recorders store them, was gone, and nothing was shown until the
/// next one.
package enum EditedFrame {
    /// - Parameters:
    ///   - pad: where frames pass that are not decoded yet.
    ///   - lead: by how much that frame begins before the edit.
    package static func beginWithEdit(on pad: Pad, lead: MediaTime) {
        // The edit's beginning, and that of what passes now: behind a seek another one.
        let begin = Locked<(edit: MediaTime?, current: MediaTime?)>((nil, nil))
        pad.watchSegments { start, _ in
            begin.withLock { begin in
                // What is shown later than other tracks has an empty edit before its own.
                if begin.edit == nil, start >= lead { begin.edit = start }
                begin.current = start
            }
        }
        _ = pad.addBufferEditor { buffer in
            let (edit, current) = begin.withLock { $0 }
            guard let edit, edit == current, let time = buffer.presentationTime,
                (edit - time - lead).length < rounding
            else { return }
            let duration = buffer.duration.map { max(.millisecond, $0 - lead) }
            buffer = buffer.retimed(presentationTime: edit, decodeTime: buffer.decodeTime, duration: duration)
        }
    }

    /// How far times differ that were rounded at different places.
    private static let rounding = MediaTime.millisecond / 2
}

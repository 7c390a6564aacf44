package import GStreamer

/// GStreamer 1.22, asfdemux: goes with the version that takes no length of audio from the stream's properties; `WorkaroundTests` “asfdemux, lengths
/// of audio packets”.
///
/// Packets of audio in Windows Media say no length, and asfdemux gives each the average that the stream's extended properties name (Advanced
/// Systems Format, section 4.1). Encoders write there what they like: half a packet, fourteen seconds, two centuries. It is taken away: a packet
/// lasts until the next one.
package enum WindowsMediaLengths {
    /// - Parameter element: what `parsebin` puts into itself, before anything else looks at its packets.
    package static func remove(from element: Element) {
        guard element.factoryName == "asfdemux" else { return }
        element.onPadAdded { pad in
            guard pad.name.hasPrefix("audio") else { return }
            _ = pad.addBufferEditor { buffer in
                guard buffer.duration != nil else { return }
                buffer = buffer.retimed(
                    presentationTime: buffer.presentationTime, decodeTime: buffer.decodeTime, duration: nil)
            }
        }
    }
}

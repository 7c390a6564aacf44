package import GStreamer
package import MediaTypes

/// GStreamer 1.22, h264parse and h265parse: goes with the version that keeps a frame's length as the index tells it; `WorkaroundTests` “h264parse, the length of a frame that lasts longer than the rest”.
///
/// Presents a movie's last frame for as long as the index tells: the parsers give it the length that the stream's rate has, and where the
/// others end with the next one, seconds of a screen recording that ends with a still were gone.
package enum LastFrame {
    /// - Parameters:
    ///   - frame: when it is presented in the media.
    ///   - decoder: what `decodebin` puts into itself.
    package static func keepsLength(of frame: Range<MediaTime>, into decoder: Element) {
        guard let name = decoder.factoryName, let factory = ElementFactory(name), factory.isDecoder,
            let input = decoder.pad("sink")
        else { return }
        let duration = frame.upperBound - frame.lowerBound
        _ = input.addBufferEditor { buffer in
            guard let time = buffer.presentationTime, (time - frame.lowerBound).length < rounding,
                buffer.duration.map({ $0 < duration }) ?? true
            else { return }
            buffer = buffer.retimed(presentationTime: time, decodeTime: buffer.decodeTime, duration: duration)
        }
    }

    /// How far times differ that were rounded at different places.
    private static let rounding = MediaTime.millisecond / 2
}

import GStreamer
import Threads

/// Gives each frame the time and the length of the packet that brings it out of a decoder.
///
/// GIF's (avdec_gif, 1.22) draws all frames into one, and gives each the time of the first.
enum PacketTimestamps {
    /// For a decoder that gives a frame for a packet at once, or none.
    static func carry(through decoder: Element) {
        guard let name = decoder.factoryName, let factory = ElementFactory(name), factory.isDecoder,
            let input = decoder.pad("sink"), let output = decoder.pad("src")
        else { return }
        let packet = Locked<(time: MediaTime?, duration: MediaTime?)>((nil, nil))
        _ = input.addBufferProbe { buffer in
            packet.withLock { $0 = (buffer.presentationTime, buffer.duration) }
            return .pass
        }
        _ = output.addBufferEditor { buffer in
            let (time, duration) = packet.withLock { $0 }
            if let time { buffer = buffer.retimed(presentationTime: time, duration: duration) }
        }
    }
}

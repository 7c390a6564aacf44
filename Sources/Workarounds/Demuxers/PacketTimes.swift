package import GStreamer
import Threads

/// GStreamer 1.22, demuxers and decoders: goes with the version in which they time every packet and frame; `WorkaroundTests` “matroskademux, how long packets of audio last” and “avdec_gif, the times of frames”.
///
/// Keeps what transport and program streams and Flash video have before the first packet: audio, and frames that are shown before the first key frame.
///
/// Their demuxers (1.22) begin the segment with the first packet that they have read whole, of whichever stream. What comes later and is presented
/// before lies outside of it, and parsers drop it. So the segment is made to begin earlier, and all times
/// are later by as much, which nobody minds: they count from the first packet.
package enum EarlyPackets {
    /// In nanoseconds: far more than a multiplexer lets streams lie apart.
    private static let longest: MediaTime = 10 * .second

    /// - Parameter element: what `parsebin` puts into itself.
    package static func keep(from element: Element) {
        guard ["tsdemux", "mpegpsdemux", "flvdemux"].contains(element.factoryName) else { return }
        // One for all streams, as they are to stay in step.
        let lead = Locked<MediaTime?>(nil)
        element.onPadAdded { pad in
            pad.beginSegmentsEarlier { start in
                lead.withLock { lead in
                    let own = lead ?? min(start, longest)
                    lead = own
                    return own
                }
            }
        }
    }

    /// The same behind `parsebin`, for segments of tsdemux that did not pass there: all of its streams have the same one.
    fileprivate static func keep(at pad: Pad) {
        pad.beginSegmentsEarlier { min($0, longest) }
    }
}

/// Opus in a transport stream, which `parsebin` (1.22) has no parser for: several packets come at once, and only the first has a time.
package enum TransportOpus {
    package static func isNeeded(for caps: Caps) -> Bool { caps.first?.name == "audio/x-opus" }

    /// The stream behind a parser, which keeps what begins before the frames, as ``EarlyPackets``.
    package static func parsed(_ pad: Pad, in bin: Bin) throws(GStreamerError) -> Pad {
        let parser = try Element("opusparse")
        guard let input = parser.pad("sink"), let output = parser.pad("src") else {
            throw GStreamerError(element: "opusparse", message: "it has no input or no output")
        }
        try bin.add(parser)
        // What `parsebin` hands on was told before the demuxer's segment was changed.
        EarlyPackets.keep(at: input)
        try pad.link(to: input)
        parser.followParentState()
        return output
    }
}

/// How long packets last whose demuxer does not tell, as those of Matroska and Flash video (1.22) do not of audio: as long as the
/// ones before on the average. A muxer knows it of all but the last, which readers leave out if it lasts for no time.
package struct PacketRhythm: Sendable {
    private var last: MediaTime?
    private var (total, count): (MediaTime, Int) = (.zero, 0)

    package init() {}

    /// Longer than any packet: what lies between is silence.
    private static let longest: MediaTime = 500 * .millisecond

    /// - Parameter time: when the packet begins.
    package mutating func duration(of time: MediaTime?) -> MediaTime? {
        if let time, let last, time > last, time - last < Self.longest {
            total += time - last
            count += 1
        }
        last = time ?? last
        return count > 0 ? total / count : nil
    }
}

/// Gives each frame the time and the length of the packet that brings it out of a decoder.
///
/// GIF's (avdec_gif, 1.22) draws all frames into one, and gives each the time of the first; QuickTime Animation's (avdec_qtrle) gives a frame
/// that differs in nothing from the one before the time of that one.
package enum PacketTimestamps {
    /// For a decoder that gives a frame for a packet at once, or none.
    package static func carry(through decoder: Element) {
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

package import GStreamer

/// GStreamer 1.22, flvdemux: goes with the version whose header tells no more than Flash video does; `WorkaroundTests` “flvdemux, packets of
/// several frames of Speex”.
///
/// Speex of Flash video may have several frames in a packet, and nothing says how many. The header that its demuxer makes up says one, and the
/// decoder gives nothing for the others. It ends with the packet where the header says more.
package enum SpeexPackets {
    /// - Parameter caps: of a demuxer's stream.
    /// - Returns: those for its decoder; nil where they need not be others.
    package static func described(_ caps: Caps) -> Caps? {
        guard caps.first?.name == "audio/x-speex" else { return nil }
        var headers = caps.streamHeaders
        // `frames_per_packet` (The Speex Codec Manual, section 7.2), and the version that flvdemux names: other headers are true.
        let place = 64..<68
        guard let header = headers.first, header.count >= place.upperBound,
            header.starts(with: "Speex   1.1.12\0".utf8), header[place].elementsEqual([1, 0, 0, 0])
        else { return nil }
        headers[0].replaceSubrange(place, with: [mostFrames, 0, 0, 0])
        return caps.with(streamHeaders: headers)
    }

    /// Of 20 ms each: what a packet of Flash video lasts at most by far.
    private static let mostFrames: UInt8 = 64
}

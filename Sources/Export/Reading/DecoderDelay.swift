import GStreamer

/// What decoders stamp wrongly.
enum DecoderDelay {
    /// By how much the sound of a decoder is stamped too early, in nanoseconds.
    ///
    /// AAC decoders need two packets for the first sound (ISO/IEC 14496-3, overlapping windows), and GStreamer's (1.22,
    /// avdec_aac and faad) put the first packet's time on the second's sound: measured against ffmpeg on MP4, Matroska and
    /// transport streams, all sound came exactly one packet early.
    static func of(_ caps: Caps, first: Buffer?, _ bytesPerFrame: Int, _ rate: Int) -> Nanoseconds {
        guard let format = caps.first, format.name == "audio/mpeg", format["mpegversion"]?.intValue != 1,
            let first, bytesPerFrame > 0, rate > 0
        else { return 0 }
        // With spectral band replication a packet is twice as long; the first buffer can be cut at the beginning.
        let packet = first.byteCount / bytesPerFrame > 1024 ? 2048 : 1024
        return Nanoseconds(packet) * .second / Nanoseconds(rate)
    }
}

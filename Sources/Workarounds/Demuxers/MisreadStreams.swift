package import GStreamer
import MovieFiles

/// GStreamer 1.22, its demuxers of QuickTime and AVI: goes with the version in which all of these frames look as others show them; `WorkaroundTests`
/// “avidemux, pixels of what is stored from the top down”.
///
/// Of which GStreamer gives frames that are not those of the file, or audio at other times, without a word.
package enum MisreadStreams {
    /// Whether a demuxer's stream is one.
    package static func contain(_ caps: Caps) -> Bool {
        guard let format = caps.first else { return false }
        // Of the first the palette is not handed on. The next two come with times of their own, up to 0.7 s early, and one channel of them as
        // noise. Of WMA Voice decoding ends at the first packet with several frames.
        if ["video/x-smc", "audio/x-private1-lpcm", "audio/x-private-ts-lpcm", "audio/x-wms"].contains(format.name) {
            return true
        }
        // The decoders of RealVideo 1 and 2 show frames at the rate that the file tells, whenever they are due.
        if format.name == "video/x-pn-realvideo", [1, 2].contains(format["rmversion"]?.intValue) { return true }
        // Of Sipro rmdemux hands on as much as the file calls a packet, which may be a part of one.
        if format.name == "audio/x-sipro", format["packet_size"]?.intValue != 320 { return true }
        // MPEG-4 ALS is called AAC, which no decoder then makes anything of.
        if format.name == "audio/mpeg", format["mpegversion"]?.intValue == 4, let data = caps.codecData {
            return AACConfiguration(data)?.isLossless == true
        }
        guard format.name == "video/x-raw" else { return false }
        // What AVI holds from the top down, by a height below zero, gets such pixels, which nothing takes.
        if let aspect = format["pixel-aspect-ratio"]?.fractionValue, aspect.doubleValue <= 0 { return true }
        switch format["format"]?.stringValue {
        // Rows are padded to 64 pixels (QuickTime File Format, "R210").
        case "r210": return (format["width"]?.intValue ?? 0) % 64 != 0
        // QuickTime's has its components in another order, and its gray and its palettes mean other colors.
        case "v308", "GRAY8", "RGB8P": return true
        default: return false
        }
    }
}

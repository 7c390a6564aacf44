package import GStreamer
import MovieFiles

/// GStreamer 1.22, aacparse: goes with the version that describes them as they are; `WorkaroundTests` “aacparse, eight channels without a container”.
///
/// AAC of eight channels that comes in ADTS: the parser describes them by the number 8, which is reserved, and not by 7 (ISO/IEC 14496-3,
/// table 1.19), so that nothing decodes what is written with it.
package enum EightAACChannels {
    /// The right description as a node behind the parser; none where it describes them rightly.
    package static func nodes(_ caps: Caps) -> [PipelineDescription.Node] {
        guard let format = caps.first, format["stream-format"]?.stringValue == "adts",
            format["channels"]?.intValue == 8,
            let rate = format["rate"]?.intValue.flatMap(AACConfiguration.rates.firstIndex(of:))
        else { return [] }
        // Low complexity, the rate, and the channels.
        let description = 2 << 11 | rate << 7 | 7 << 3
        let told = Caps("audio/mpeg", [:]).with(codecData: [UInt8(description >> 8), UInt8(description & 0xFF)])
        return [.make("capssetter", ["caps": .caps(told)])]
    }
}

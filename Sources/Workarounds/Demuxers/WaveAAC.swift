package import GStreamer

/// GStreamer 1.22, avidemux and asfdemux: goes with the version that describes AAC by its own description alone; `WorkaroundTests` “avidemux, the
/// description of AAC of six channels”.
///
/// AAC of more than two channels in AVI and Windows Media, whose description has what WAVE says before it (WAVEFORMATEXTENSIBLE): decoders and
/// muxers take that for the description.
package enum WaveAAC {
    /// - Parameter element: what `parsebin` puts into itself.
    package static func describe(from element: Element) {
        guard ["avidemux", "asfdemux"].contains(element.factoryName) else { return }
        element.onPadAdded { pad in pad.editCaps { described($0) } }
    }

    /// - Returns: nil where the description is right.
    static func described(_ caps: Caps) -> Caps? {
        guard let format = caps.first, format.name == "audio/mpeg", format["mpegversion"]?.intValue != 1,
            let data = caps.codecData, data.count > extensionSize, data[6..<extensionSize].elementsEqual(identifier)
        else { return nil }
        return caps.with(codecData: Array(data[extensionSize...]))
    }

    /// Bits of a sample, speakers, and the codec's number as a GUID.
    private static let extensionSize = 22
    private static let identifier: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
}

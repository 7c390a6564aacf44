package import GStreamer

/// GStreamer 1.22, opusdec: goes with the version that takes the order that the stream tells; `WorkaroundTests` “opusdec, the order of five channels”.
///
/// Moves channels to other places, where a decoder or an encoder mixes their order up.
package enum ChannelOrder {
    /// - Parameters:
    ///   - places: Where each channel goes.
    ///   - caps: Of the channels, before and after: their names stay where they are.
    package static func nodes(_ places: [Int], _ caps: Caps) -> [PipelineDescription.Node] {
        let rows = places.indices.map { place in
            "<" + places.map { $0 == place ? "(float)1.0" : "(float)0.0" }.joined(separator: ",") + ">"
        }
        return [.make("audioconvert", ["mix-matrix": .text("<\(rows.joined(separator: ","))>")]), .caps(caps)]
    }

    /// What stands behind the decoder of a stream: opusdec (1.22) takes the inverse of the order that the stream's head tells (RFC 7845, section
    /// 5.1.1.2), which is another one for five and seven channels.
    ///
    /// - Parameter decoded: What the decoder gives.
    package static func corrections(_ coded: Caps, _ decoded: Caps?) -> [PipelineDescription.Node] {
        guard coded.first?.name == "audio/x-opus", ElementFactory("opusdec") != nil,
            let channels = decoded?.first?["channels"], let mask = decoded?.first?["channel-mask"]
        else { return [] }
        let caps = Caps("audio/x-raw", ["channels": channels, "channel-mask": mask])
        return switch channels.intValue {
        case 5: nodes([0, 1, 3, 4, 2], caps)
        case 7: nodes([0, 1, 5, 3, 2, 4, 6], caps)
        default: []
        }
    }
}

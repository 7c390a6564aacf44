package import MediaTypes

/// A pipeline as a value: chains of elements, with their properties, before anything is made.
///
/// It can be printed as gst-launch text, compared in tests, and built element by element. The text is for reading and for
/// trying a thing by hand; building never goes through it, so no value needs to survive a parser's quoting.
package struct PipelineDescription: Sendable, Equatable {
    /// One link of a chain.
    package enum Node: Sendable, Equatable {
        /// An element of this factory.
        case element(String, name: String?, properties: [Property])
        /// Only these caps may pass.
        case caps(Caps)
        /// A launch line that a person wrote, with its own unlinked ends.
        case launchLine(String)
        /// A pad of an element named elsewhere in the description, such as the muxer's "video_%u"; empty: any that fits.
        case pad(of: String, template: String)
    }

    /// One of an element's settings.
    package struct Property: Sendable, Equatable {
        /// As GStreamer calls it, such as "bitrate".
        package var name: String
        /// What it is set to.
        package var value: PropertyValue

        /// Nothing is checked before the element is made.
        package init(_ name: String, _ value: PropertyValue) {
            self.name = name
            self.value = value
        }
    }

    /// Each chain is linked from its first node to its last.
    package var chains: [[Node]]

    /// - Parameter chains: each is linked from its first node to its last.
    package init(_ chains: [[Node]] = []) { self.chains = chains }
}

extension PipelineDescription.Node {
    /// An element with properties in the order in which they are set.
    package static func make(
        _ factory: String, name: String? = nil, _ properties: KeyValuePairs<String, PropertyValue> = [:]
    ) -> Self {
        .element(factory, name: name, properties: properties.map { .init($0.key, $0.value) })
    }
}

extension MovieOrientation {
    /// What turns frames so that they are upright as they are.
    package var flips: [PipelineDescription.Node] {
        let direction: PropertyValue? =
            switch rotation {
            case .none: nil
            case .quarter: "90r"
            case .half: "180"
            case .threeQuarters: "90l"
            }
        // The flip comes first, as in the file; GStreamer's methods of both in one are named after the diagonal.
        return (isMirrored ? [.make("videoflip", ["video-direction": "horiz"])] : [])
            + (direction.map { [.make("videoflip", ["video-direction": $0])] } ?? [])
    }
}

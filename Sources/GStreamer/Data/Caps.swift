import CGStreamer

/// What a pad can carry: media types with the values their fields may have.
package struct Caps: Sendable, Equatable, CustomStringConvertible {
    let reference: MiniObjectReference

    init(adopting caps: UnsafeMutablePointer<GstCaps>) { reference = MiniObjectReference(adopting: caps) }
    init(retaining caps: UnsafeMutablePointer<GstCaps>) { reference = MiniObjectReference(retaining: caps) }

    /// Reads caps as GStreamer writes them, such as "video/x-raw,format=I420,width=640".
    ///
    /// - Throws: ``GStreamerError`` if the text is not caps.
    package init(_ text: String) throws(GStreamerError) {
        GStreamerLibrary.start()
        guard let caps = gst_caps_from_string(text) else {
            throw GStreamerError(element: "caps", message: "“\(text)” does not describe caps")
        }
        self.init(adopting: caps)
    }

    /// Fixed or open caps of one media type; empty if the name is not one. The fields stand in the order of the alphabet.
    package init(_ mediaType: String, _ fields: [String: FieldValue]) {
        GStreamerLibrary.start()
        let caps: UnsafeMutablePointer<GstCaps> = gst_caps_new_empty()
        if let structure = Structure(name: mediaType, fields: fields).makeCStructure() {
            gst_caps_append_structure(caps, structure)
        }
        self.init(adopting: caps)
    }

    var pointer: UnsafeMutablePointer<GstCaps> { reference.cast() }

    /// One for each alternative, the preferred first.
    package var structures: [Structure] {
        (0..<gst_caps_get_size(pointer)).compactMap {
            gst_caps_get_structure(pointer, $0).map { Structure(copying: $0) }
        }
    }
    /// Where the data of each structure lies, such as "memory:DMABuf"; "memory:SystemMemory" is the ordinary kind.
    package var features: [[String]] {
        (0..<gst_caps_get_size(pointer)).map { index in
            let features = gst_caps_get_features(pointer, index)
            return (0..<gst_caps_features_get_size(features)).compactMap {
                copiedString(gst_caps_features_get_nth(features, $0))
            }
        }
    }
    /// The first media type's structure; fixed caps have no other.
    package var first: Structure? { structures.first }
    /// Whether there is one alternative, and one value for each of its fields.
    package var isFixed: Bool { gst_caps_is_fixed(pointer) != 0 }
    /// Whether nothing fits.
    package var isEmpty: Bool { gst_caps_is_empty(pointer) != 0 }
    /// Whether everything fits.
    package var isAny: Bool { gst_caps_is_any(pointer) != 0 }

    /// Whether something fits both.
    package func canIntersect(_ other: Caps) -> Bool { gst_caps_can_intersect(pointer, other.pointer) != 0 }

    package static func == (left: Caps, right: Caps) -> Bool {
        left.reference === right.reference || gst_caps_is_equal(left.pointer, right.pointer) != 0
    }

    package var description: String { takenString(gst_caps_to_string(pointer)) ?? "" }
}

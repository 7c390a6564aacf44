import CGStreamer

/// What a pad can carry: media types with the values their fields may have.
public struct Caps: Sendable, Equatable, CustomStringConvertible {
    let reference: MiniObjectReference

    init(adopting caps: UnsafeMutablePointer<GstCaps>) { reference = MiniObjectReference(adopting: caps) }
    init(retaining caps: UnsafeMutablePointer<GstCaps>) { reference = MiniObjectReference(retaining: caps) }

    /// Reads caps as GStreamer writes them, such as "video/x-raw,format=I420,width=640".
    ///
    /// - Throws: ``GStreamerError`` if the text is not caps.
    public init(_ text: String) throws(GStreamerError) {
        GStreamerLibrary.start()
        guard let caps = gst_caps_from_string(text) else {
            throw GStreamerError(element: "caps", message: "“\(text)” does not describe caps")
        }
        self.init(adopting: caps)
    }

    /// Fixed or open caps of one media type.
    public init(_ mediaType: String, _ fields: [String: FieldValue] = [:]) {
        GStreamerLibrary.start()
        let caps: UnsafeMutablePointer<GstCaps> = gst_caps_new_empty()
        if let structure = gst_structure_new_empty(mediaType) {
            for (name, value) in fields { value.withGValue { gst_structure_set_value(structure, name, $0) } }
            gst_caps_append_structure(caps, structure)
        }
        self.init(adopting: caps)
    }

    var pointer: UnsafeMutablePointer<GstCaps> { reference.cast() }

    public var structures: [Structure] {
        (0..<gst_caps_get_size(pointer)).compactMap { gst_caps_get_structure(pointer, $0).map { Structure(copying: $0) } }
    }
    /// The first media type's structure; fixed caps have no other.
    public var first: Structure? { structures.first }
    public var isFixed: Bool { gst_caps_is_fixed(pointer) != 0 }
    public var isEmpty: Bool { gst_caps_is_empty(pointer) != 0 }
    public var isAny: Bool { gst_caps_is_any(pointer) != 0 }

    public func canIntersect(_ other: Caps) -> Bool { gst_caps_can_intersect(pointer, other.pointer) != 0 }
    public func isSubset(of other: Caps) -> Bool { gst_caps_is_subset(pointer, other.pointer) != 0 }
    public func intersection(_ other: Caps) -> Caps { Caps(adopting: gst_caps_intersect(pointer, other.pointer)) }

    public static func == (left: Caps, right: Caps) -> Bool {
        left.reference === right.reference || gst_caps_is_equal(left.pointer, right.pointer) != 0
    }

    public var description: String { takenString(gst_caps_to_string(pointer)) ?? "" }
}

extension FieldValue {
    /// The value as a GValue, valid in the closure only.
    func withGValue(_ body: (UnsafePointer<GValue>) -> Void) {
        var value = GValue()
        switch self {
        case .bool(let bool):
            g_value_init(&value, GType(5 << 2))
            g_value_set_boolean(&value, bool ? 1 : 0)
        case .int(let int):
            g_value_init(&value, GType(6 << 2))
            g_value_set_int(&value, gint(clamping: int))
        case .double(let double):
            g_value_init(&value, GType(15 << 2))
            g_value_set_double(&value, double)
        case .string(let text), .other(let text):
            g_value_init(&value, GType(16 << 2))
            g_value_set_string(&value, text)
        case .fraction(let fraction):
            g_value_init(&value, gst_fraction_get_type())
            gst_value_set_fraction(&value, gint(clamping: fraction.numerator), gint(clamping: max(1, fraction.denominator)))
        case .intRange(let low, let high, let step):
            g_value_init(&value, gst_int_range_get_type())
            gst_value_set_int_range_step(&value, gint(clamping: low), gint(clamping: high), gint(clamping: step))
        case .fractionRange(let low, let high):
            g_value_init(&value, gst_fraction_range_get_type())
            gst_value_set_fraction_range_full(
                &value, gint(clamping: low.numerator), gint(clamping: low.denominator),
                gint(clamping: high.numerator), gint(clamping: high.denominator))
        case .list(let values):
            g_value_init(&value, gst_value_list_get_type())
            for item in values { item.withGValue { gst_value_list_append_value(&value, $0) } }
        case .structure: return
        }
        body(&value)
        g_value_unset(&value)
    }
}

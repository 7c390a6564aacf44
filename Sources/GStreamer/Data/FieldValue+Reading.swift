import CGStreamer

extension FieldValue {
    init(_ value: UnsafePointer<GValue>) {
        switch rushes_type_kind(rushes_value_type(value)) {
        case RUSHES_KIND_BOOL: self = .bool(g_value_get_boolean(value) != 0)
        case RUSHES_KIND_INT: self = .int(Int64(g_value_get_int(value)))
        case RUSHES_KIND_UINT: self = .int(Int64(g_value_get_uint(value)))
        case RUSHES_KIND_INT64: self = .int(Int64(g_value_get_int64(value)))
        case RUSHES_KIND_UINT64: self = .int(Int64(clamping: g_value_get_uint64(value)))
        case RUSHES_KIND_BITMASK: self = .bitmask(UInt64(gst_value_get_bitmask(value)))
        case RUSHES_KIND_FLOAT: self = .double(Double(g_value_get_float(value)))
        case RUSHES_KIND_DOUBLE: self = .double(g_value_get_double(value))
        case RUSHES_KIND_STRING: self = .string(copiedString(g_value_get_string(value)) ?? "")
        case RUSHES_KIND_FRACTION: self = .fraction(Fraction(of: value))
        case RUSHES_KIND_INT_RANGE:
            self = .intRange(
                Int(gst_value_get_int_range_min(value)), Int(gst_value_get_int_range_max(value)),
                step: Int(gst_value_get_int_range_step(value)))
        case RUSHES_KIND_FRACTION_RANGE:
            // Null only for a value of another type.
            let ends = [gst_value_get_fraction_range_min(value), gst_value_get_fraction_range_max(value)]
            let fractions = ends.compactMap { $0 }.map(Fraction.init(of:))
            self = .fractionRange(fractions.first ?? Fraction(0), fractions.last ?? Fraction(0))
        case RUSHES_KIND_LIST:
            self = .list(parts(gst_value_list_get_size(value)) { gst_value_list_get_value(value, $0) })
        case RUSHES_KIND_ARRAY:
            self = .array(parts(gst_value_array_get_size(value)) { gst_value_array_get_value(value, $0) })
        case RUSHES_KIND_VALUE_ARRAY:
            // The level element still uses GValueArray; GLib deprecated it without a replacement in the message.
            let array = g_value_get_boxed(value)?.assumingMemoryBound(to: GValueArray.self)
            self = .array(
                parts(array?.pointee.n_values ?? 0) { index in
                    array.map { UnsafePointer($0.pointee.values + Int(index)) }
                })
        case RUSHES_KIND_STRUCTURE:
            self = .structure(gst_value_get_structure(value).map { Structure(copying: $0) } ?? Structure(name: ""))
        case RUSHES_KIND_CAPS:
            // Null before any were set; GStreamer writes that as "NULL", which is no caps.
            let caps = g_value_get_boxed(value)?.assumingMemoryBound(to: GstCaps.self)
            self = caps.map { .caps(Caps(retaining: $0)) } ?? .other(type: "GstCaps", text: "NULL")
        default:
            self = .other(
                type: copiedString(g_type_name(rushes_value_type(value))) ?? "",
                text: takenString(gst_value_serialize(value)) ?? "")
        }
    }
}

private func parts(_ count: guint, _ part: (guint) -> UnsafePointer<GValue>?) -> [FieldValue] {
    (0..<count).compactMap(part).map { FieldValue($0) }
}

extension Fraction {
    init(of value: UnsafePointer<GValue>) {
        self.init(Int(gst_value_get_fraction_numerator(value)), Int(gst_value_get_fraction_denominator(value)))
    }
}

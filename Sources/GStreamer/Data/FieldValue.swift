import CGStreamer

/// The value of a field of caps, of a structure or of a property, as Swift sees it.
public indirect enum FieldValue: Sendable, Equatable {
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case fraction(Fraction)
    /// All whole numbers from the first to the second, in steps of the third.
    case intRange(Int, Int, step: Int)
    case fractionRange(Fraction, Fraction)
    /// Alternatives ("list") of caps, or the elements of an array.
    case list([FieldValue])
    case structure(Structure)
    /// Anything else, as GStreamer writes it.
    case other(String)

    init(_ value: UnsafePointer<GValue>) {
        switch rushes_type_kind(rushes_value_type(value)) {
        case RUSHES_KIND_BOOL: self = .bool(g_value_get_boolean(value) != 0)
        case RUSHES_KIND_INT: self = .int(Int64(g_value_get_int(value)))
        case RUSHES_KIND_UINT: self = .int(Int64(g_value_get_uint(value)))
        case RUSHES_KIND_INT64: self = .int(Int64(g_value_get_int64(value)))
        case RUSHES_KIND_UINT64: self = .int(Int64(clamping: g_value_get_uint64(value)))
        case RUSHES_KIND_BITMASK: self = .int(Int64(clamping: gst_value_get_bitmask(value)))
        case RUSHES_KIND_FLOAT: self = .double(Double(g_value_get_float(value)))
        case RUSHES_KIND_DOUBLE: self = .double(g_value_get_double(value))
        case RUSHES_KIND_STRING: self = .string(copiedString(g_value_get_string(value)) ?? "")
        case RUSHES_KIND_FRACTION: self = .fraction(Fraction(of: value))
        case RUSHES_KIND_INT_RANGE:
            self = .intRange(
                Int(gst_value_get_int_range_min(value)), Int(gst_value_get_int_range_max(value)),
                step: Int(gst_value_get_int_range_step(value)))
        case RUSHES_KIND_FRACTION_RANGE:
            guard let low = gst_value_get_fraction_range_min(value), let high = gst_value_get_fraction_range_max(value)
            else { self = .other(""); return }
            self = .fractionRange(Fraction(of: low), Fraction(of: high))
        case RUSHES_KIND_LIST:
            self = .list((0..<gst_value_list_get_size(value)).compactMap { gst_value_list_get_value(value, $0) }.map(FieldValue.init))
        case RUSHES_KIND_ARRAY:
            self = .list((0..<gst_value_array_get_size(value)).compactMap { gst_value_array_get_value(value, $0) }.map(FieldValue.init))
        case RUSHES_KIND_VALUE_ARRAY:
            // The level element still uses GValueArray; GLib deprecated it without a replacement in the message.
            guard let array = g_value_get_boxed(value)?.assumingMemoryBound(to: GValueArray.self) else { self = .list([]); return }
            self = .list((0..<Int(array.pointee.n_values)).map { FieldValue(array.pointee.values + $0) })
        case RUSHES_KIND_STRUCTURE:
            guard let structure = gst_value_get_structure(value) else { self = .other(""); return }
            self = .structure(Structure(copying: structure))
        default:
            self = .other(takenString(gst_value_serialize(value)) ?? "")
        }
    }

    public var intValue: Int? {
        if case .int(let value) = self { Int(exactly: value) } else { nil }
    }
    public var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
    public var fractionValue: Fraction? {
        if case .fraction(let value) = self { value } else { nil }
    }
    /// The alternatives of a list, or the one value itself.
    public var alternatives: [FieldValue] {
        if case .list(let values) = self { values } else { [self] }
    }
}

extension Fraction {
    init(of value: UnsafePointer<GValue>) {
        self.init(Int(gst_value_get_fraction_numerator(value)), Int(gst_value_get_fraction_denominator(value)))
    }
}


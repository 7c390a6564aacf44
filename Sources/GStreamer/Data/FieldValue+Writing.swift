import CGStreamer

extension FieldValue {
    /// The value as a GValue, valid in the closure only. Not called for a value that GStreamer cannot hold.
    func withGValue(_ body: (UnsafePointer<GValue>) -> Void) {
        guard let type else { return }
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        if write(to: &value) { body(&value) }
    }

    private var type: GType? {
        switch self {
        case .bool: rushes_kind_type(RUSHES_KIND_BOOL)
        // Whole numbers of caps are of 32 bits; only what does not fit is wider.
        case .int(let int): rushes_kind_type(gint(exactly: int) == nil ? RUSHES_KIND_INT64 : RUSHES_KIND_INT)
        case .double: rushes_kind_type(RUSHES_KIND_DOUBLE)
        case .string: rushes_kind_type(RUSHES_KIND_STRING)
        case .fraction: rushes_kind_type(RUSHES_KIND_FRACTION)
        case .bitmask: rushes_kind_type(RUSHES_KIND_BITMASK)
        // GStreamer has no range of one value.
        case .intRange(let low, let high, _): rushes_kind_type(low < high ? RUSHES_KIND_INT_RANGE : RUSHES_KIND_INT)
        case .fractionRange(let low, let high):
            rushes_kind_type(low.doubleValue < high.doubleValue ? RUSHES_KIND_FRACTION_RANGE : RUSHES_KIND_FRACTION)
        case .list: rushes_kind_type(RUSHES_KIND_LIST)
        case .array: rushes_kind_type(RUSHES_KIND_ARRAY)
        case .structure: rushes_kind_type(RUSHES_KIND_STRUCTURE)
        case .caps: rushes_kind_type(RUSHES_KIND_CAPS)
        case .other(let type, _): g_type_from_name(type) == 0 ? nil : g_type_from_name(type)
        }
    }

    private func write(to value: inout GValue) -> Bool {
        switch self {
        case .bool(let bool): g_value_set_boolean(&value, bool ? 1 : 0)
        case .int(let int):
            guard let small = gint(exactly: int) else { g_value_set_int64(&value, gint64(int)); break }
            g_value_set_int(&value, small)
        case .double(let double): g_value_set_double(&value, double)
        case .string(let text): g_value_set_string(&value, text)
        case .bitmask(let mask): gst_value_set_bitmask(&value, guint64(mask))
        case .fraction(let fraction): return fraction.write(to: &value)
        case .intRange(let low, let high, let step): writeRange(low, high, step: max(1, step), to: &value)
        case .fractionRange(let low, let high):
            guard low.doubleValue < high.doubleValue else { return low.write(to: &value) }
            guard low.isExact, high.isExact else { return false }
            gst_value_set_fraction_range_full(
                &value, gint(low.numerator), gint(low.denominator), gint(high.numerator), gint(high.denominator))
        case .list(let values):
            for item in uniform(values) { item.withGValue { gst_value_list_append_value(&value, $0) } }
        case .array(let values):
            for item in uniform(values) { item.withGValue { gst_value_array_append_value(&value, $0) } }
        case .structure(let structure):
            guard let copy = structure.makeCStructure() else { return false }
            gst_value_set_structure(&value, copy)
            gst_structure_free(copy)
        case .caps(let caps): gst_value_set_caps(&value, caps.pointer)
        case .other(_, let text): return gst_value_deserialize(&value, text) != 0
        }
        return true
    }

    /// The parts that GStreamer takes into one list: those of the first one's type.
    private func uniform(_ values: [FieldValue]) -> [FieldValue] { values.filter { $0.type == values.first?.type } }

    private func writeRange(_ low: Int, _ high: Int, step: Int, to value: inout GValue) {
        guard low < high else { return g_value_set_int(&value, gint(clamping: low)) }
        // Both ends must be multiples of the step; what lies outside the last whole step is in no range.
        let (first, last) = ((Double(low) / Double(step)).rounded(.up), (Double(high) / Double(step)).rounded(.down))
        guard first < last else {
            return gst_value_set_int_range(&value, gint(clamping: low), gint(clamping: high))
        }
        gst_value_set_int_range_step(
            &value, gint(clamping: Int(first) * step), gint(clamping: Int(last) * step), gint(clamping: step))
    }
}

extension Fraction {
    /// Whether GStreamer can hold it: 32 bits, and a denominator above zero.
    fileprivate var isExact: Bool {
        gint(exactly: numerator) != nil && gint(exactly: denominator) != nil && denominator > 0
    }

    fileprivate func write(to value: inout GValue) -> Bool {
        guard isExact else { return false }
        gst_value_set_fraction(&value, gint(numerator), gint(denominator))
        return true
    }
}

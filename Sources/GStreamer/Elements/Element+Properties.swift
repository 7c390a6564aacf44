import CGStreamer

extension Element {
    /// Sets a property after checking that it exists, can be written, and that the value has its type and lies in its range.
    ///
    /// GObject itself only prints a warning for an unknown name and silently clamps a value out of range.
    /// - Throws: ``GStreamerError`` naming the element, the property and the value.
    package func set(_ name: String, to value: PropertyValue) throws(GStreamerError) {
        guard let spec = rushes_find_property(pointer, name) else {
            throw refusal(name, value, "it has no such property")
        }
        guard spec.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0 else {
            throw refusal(name, value, "the property cannot be written")
        }
        guard spec.pointee.flags.rawValue & G_PARAM_CONSTRUCT_ONLY.rawValue == 0 else {
            throw refusal(name, value, "the property can be chosen only while the element is made")
        }
        var holder = GValue()
        g_value_init(&holder, rushes_spec_type(spec))
        defer { g_value_unset(&holder) }
        guard value.fill(&holder, spec: spec) else { throw refusal(name, value, "the property takes no such value") }
        guard rushes_value_valid(spec, &holder) != 0 else { throw refusal(name, value, "the value is out of range") }
        g_object_set_property(reference.cast(), name, &holder)
    }

    /// A property's present value, or `nil` if there is no such property or it cannot be read.
    package func get(_ name: String) -> FieldValue? {
        guard let spec = rushes_find_property(pointer, name),
            spec.pointee.flags.rawValue & G_PARAM_READABLE.rawValue != 0
        else { return nil }
        var holder = GValue()
        g_value_init(&holder, rushes_spec_type(spec))
        defer { g_value_unset(&holder) }
        g_object_get_property(reference.cast(), name, &holder)
        return FieldValue(&holder)
    }

    /// The number nearest to one that a property's range has; `nil` where there is no such property, or it is no number.
    package func nearest(to value: Int, of name: String) -> Int? {
        guard let spec = rushes_find_property(pointer, name), let exact = UInt32(exactly: value) else { return nil }
        var holder = GValue()
        g_value_init(&holder, rushes_spec_type(spec))
        defer { g_value_unset(&holder) }
        switch rushes_type_kind(rushes_spec_type(spec)) {
        case RUSHES_KIND_UINT:
            g_value_set_uint(&holder, exact)
            g_param_value_validate(spec, &holder)
            return Int(g_value_get_uint(&holder))
        case RUSHES_KIND_INT:
            g_value_set_int(&holder, gint(clamping: exact))
            g_param_value_validate(spec, &holder)
            return Int(g_value_get_int(&holder))
        default: return nil
        }
    }

    private func refusal(_ name: String, _ value: PropertyValue, _ reason: String) -> GStreamerError {
        GStreamerError(element: factoryName ?? path, message: "cannot set \(name)=\(value): \(reason)")
    }
}

extension PropertyValue {
    /// Writes the value into a GValue of the property's type; false if it does not fit that type.
    fileprivate func fill(_ holder: inout GValue, spec: UnsafeMutablePointer<GParamSpec>) -> Bool {
        let kind = rushes_type_kind(rushes_spec_type(spec))
        switch self {
        case .bool(let value):
            guard kind == RUSHES_KIND_BOOL else { return false }
            g_value_set_boolean(&holder, value ? 1 : 0)
        case .int(let value):
            return fill(&holder, kind: kind, int: value)
        case .double(let value):
            switch kind {
            case RUSHES_KIND_DOUBLE: g_value_set_double(&holder, value)
            case RUSHES_KIND_FLOAT: g_value_set_float(&holder, Float(value))
            default: return false
            }
        case .text(let value):
            if kind == RUSHES_KIND_STRING {
                g_value_set_string(&holder, value)
            } else {
                return gst_value_deserialize_with_pspec(&holder, value, spec) != 0
            }
        case .caps(let value):
            guard kind == RUSHES_KIND_CAPS else { return false }
            gst_value_set_caps(&holder, value.pointer)
        }
        return true
    }

    private func fill(_ holder: inout GValue, kind: RushesKind, int value: Int) -> Bool {
        switch kind {
        case RUSHES_KIND_INT:
            guard let exact = gint(exactly: value) else { return false }
            g_value_set_int(&holder, exact)
        case RUSHES_KIND_UINT:
            guard let exact = guint(exactly: value) else { return false }
            g_value_set_uint(&holder, exact)
        case RUSHES_KIND_INT64: g_value_set_int64(&holder, gint64(value))
        case RUSHES_KIND_UINT64:
            guard let exact = guint64(exactly: value) else { return false }
            g_value_set_uint64(&holder, exact)
        case RUSHES_KIND_DOUBLE: g_value_set_double(&holder, Double(value))
        case RUSHES_KIND_FLOAT: g_value_set_float(&holder, Float(value))
        case RUSHES_KIND_BOOL: g_value_set_boolean(&holder, value == 0 ? 0 : 1)
        case RUSHES_KIND_ENUM:
            guard let exact = gint(exactly: value) else { return false }
            g_value_set_enum(&holder, exact)
        case RUSHES_KIND_FLAGS:
            guard let exact = guint(exactly: value) else { return false }
            g_value_set_flags(&holder, exact)
        default: return false
        }
        return true
    }
}

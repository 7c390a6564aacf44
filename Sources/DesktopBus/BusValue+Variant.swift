import CGIO

extension BusValue {
    /// A new floating reference: whoever takes it in owns it.
    func variant() -> OpaquePointer? {
        switch self {
        case .bool(let flag): g_variant_new_boolean(flag ? 1 : 0)
        case .byte(let byte): g_variant_new_byte(byte)
        case .int32(let number): g_variant_new_int32(number)
        case .uint32(let number): g_variant_new_uint32(number)
        case .int64(let number): g_variant_new_int64(gint64(number))
        case .uint64(let number): g_variant_new_uint64(guint64(number))
        case .double(let number): g_variant_new_double(number)
        // D-Bus strings are UTF-8, as Swift's are, but hold no NUL.
        case .string(let text): g_variant_new_string(text.filter { $0 != "\0" })
        case .object(let path): g_variant_is_object_path(path) == 0 ? nil : g_variant_new_object_path(path)
        case .strings(let list): Self.array("as", list.map { BusValue.string($0).variant() })
        case .properties(let values):
            Self.array(
                "a{sv}",
                values.sorted { $0.key < $1.key }.map { key, value in
                    value.variant().map {
                        g_variant_new_dict_entry(g_variant_new_string(key), g_variant_new_variant($0))
                    }
                })
        case .other: nil
        }
    }

    /// The arguments of a call or a signal; nil if one cannot be sent.
    static func tuple(_ values: [BusValue]) -> OpaquePointer? {
        guard let children = complete(values.map { $0.variant() }) else { return nil }
        return children.map(Optional.some).withUnsafeBufferPointer {
            g_variant_new_tuple($0.baseAddress, gsize($0.count))
        }
    }

    /// Nil if one of the children is.
    private static func array(_ signature: String, _ children: [OpaquePointer?]) -> OpaquePointer? {
        guard let children = complete(children) else { return nil }
        let type = g_variant_type_new(signature)
        defer { g_variant_type_free(type) }
        let builder = g_variant_builder_new(type)
        defer { g_variant_builder_unref(builder) }
        for child in children { g_variant_builder_add_value(builder, child) }
        return g_variant_builder_end(builder)
    }

    /// All of them, or none, and then those that were made are given back.
    private static func complete(_ children: [OpaquePointer?]) -> [OpaquePointer]? {
        let made = children.compactMap(\.self)
        guard made.count == children.count else {
            for child in made { g_variant_unref(child) }
            return nil
        }
        return made
    }

    /// The parts of a tuple.
    static func values(in tuple: OpaquePointer?) -> [BusValue] {
        guard let tuple else { return [] }
        return children(of: tuple).map { child in
            defer { g_variant_unref(child) }
            return BusValue(child)
        }
    }

    private init(_ variant: OpaquePointer) {
        switch String(cString: g_variant_get_type_string(variant)) {
        case "b": self = .bool(g_variant_get_boolean(variant) != 0)
        case "y": self = .byte(g_variant_get_byte(variant))
        case "i": self = .int32(g_variant_get_int32(variant))
        case "u": self = .uint32(g_variant_get_uint32(variant))
        case "x": self = .int64(Int64(g_variant_get_int64(variant)))
        case "t": self = .uint64(UInt64(g_variant_get_uint64(variant)))
        case "d": self = .double(g_variant_get_double(variant))
        case "s": self = .string(String(cString: g_variant_get_string(variant, nil)))
        case "o": self = .object(String(cString: g_variant_get_string(variant, nil)))
        case "v":
            guard let inner = g_variant_get_variant(variant) else {
                self = .other
                return
            }
            defer { g_variant_unref(inner) }
            self.init(inner)
        case "as": self = .strings(Self.values(in: variant).compactMap(\.string))
        case "a{sv}":
            var properties: [String: BusValue] = [:]
            for entry in Self.children(of: variant) {
                let pair = Self.values(in: entry)
                g_variant_unref(entry)
                if let key = pair.first?.string, let value = pair.last { properties[key] = value }
            }
            self = .properties(properties)
        default: self = .other
        }
    }

    private static func children(of container: OpaquePointer) -> [OpaquePointer] {
        (0..<g_variant_n_children(container)).compactMap { g_variant_get_child_value(container, $0) }
    }
}

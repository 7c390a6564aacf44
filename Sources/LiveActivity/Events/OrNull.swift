/// An optional that is written as `null` when it is absent, where the synthesized coding would leave its key out.
///
/// For the values that a reader of the events always looks for.
@propertyWrapper
public struct OrNull<Value: Sendable & Codable & Hashable>: Sendable, Codable, Hashable {
    /// The value, if there is one.
    public var wrappedValue: Value?

    /// Wraps what may be absent.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// The synthesized decoding finds this overload, so that an event without the key is read like one with `null`.
    func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
    }
}

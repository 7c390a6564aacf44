import CGStreamer

/// The value of a field of caps, of a structure or of a property, as Swift sees it.
package indirect enum FieldValue: Sendable, Equatable {
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case fraction(Fraction)
    /// Flags by position, such as the channels of audio.
    case bitmask(UInt64)
    /// All whole numbers from the first to the second, in steps of the third.
    case intRange(Int, Int, step: Int)
    case fractionRange(Fraction, Fraction)
    /// Alternatives: the field has one of these values.
    case list([FieldValue])
    /// One value made of several, in their order.
    case array([FieldValue])
    case structure(Structure)
    case caps(Caps)
    /// Anything else: the name of its GType, and the value as GStreamer writes it.
    case other(type: String, text: String)
}

extension FieldValue {
    /// A whole number or flags; `nil` for another type.
    package var intValue: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .bitmask(let value): Int(exactly: value)
        default: nil
        }
    }
    /// A number; `nil` for another type.
    package var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }
    /// A text; `nil` for another type.
    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }
    /// A truth value; `nil` for another type.
    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
    /// A fraction; `nil` for another type.
    package var fractionValue: Fraction? {
        if case .fraction(let value) = self { value } else { nil }
    }
    /// The parts of a list or an array, or the one value itself.
    package var alternatives: [FieldValue] {
        switch self {
        case .list(let values), .array(let values): values
        default: [self]
        }
    }
}

extension FieldValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(value) }
}

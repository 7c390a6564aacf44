/// A value for an element's property.
package enum PropertyValue: Sendable, Equatable {
    case bool(Bool)
    case int(Int)
    case double(Double)
    /// Text for a string property, taken as it is; for any other type as gst-launch would read it ("veryfast", "1/30").
    case text(String)
    case caps(Caps)
}

extension PropertyValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}

extension PropertyValue: CustomStringConvertible {
    /// As gst-launch writes it, without quotes.
    package var description: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .text(let value): value
        case .caps(let value): value.description
        }
    }
}

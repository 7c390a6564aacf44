/// A value as D-Bus carries it, with its type.
package enum BusValue: Sendable, Hashable {
    case bool(Bool)
    case byte(UInt8)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    /// The path of an object, such as "/org/freedesktop/Notifications".
    case object(String)
    case strings([String])
    /// `a{sv}`: named values of any type.
    case properties([String: BusValue])
    /// A value of a type that Rushes does not use.
    case other

    /// The text, or an object's path; `nil` for another type.
    package var string: String? {
        switch self {
        case .string(let text), .object(let text): text
        default: nil
        }
    }

    /// The number; `nil` for another type.
    package var uint32: UInt32? {
        guard case .uint32(let number) = self else { return nil }
        return number
    }

    /// The texts; `nil` for another type.
    package var strings: [String]? {
        guard case .strings(let list) = self else { return nil }
        return list
    }
}

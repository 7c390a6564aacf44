package import Foundation

/// JSON as the events use it: keys sorted, so that lines compare; slashes as they are; no line break inside.
enum Wire {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    static func encode(_ value: some Encodable) -> Data? { try? encoder.encode(value) }

    static func byteCount(_ value: some Encodable) -> Int { encode(value)?.count ?? 0 }
}

extension ActivityEvent {
    /// The event as one line of newline-delimited JSON, with the line break.
    package var line: Data {
        // Encoding fails only for numbers that JSON lacks, and the initializer lets none in.
        (Wire.encode(self) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// - Throws: `DecodingError` if the line is not an event of this version.
    package init(line: some DataProtocol) throws {
        self = try JSONDecoder().decode(ActivityEvent.self, from: Data(line))
    }
}

import Foundation

/// The international text of a user data item (QuickTime File Format, "User Data Text Strings and Language Codes").
enum UserDataText {
    static func box(_ type: FourCC, text: String) throws(MovieFileError) -> Box {
        // The length has 16 bits.
        let utf8 = text.utf8Prefix(Int(UInt16.max))
        return try Box(type) { (writer: inout ByteWriter) in
            writer.append(UInt16(truncatingIfNeeded: utf8.count))
            // Codes from 0x400 on mean UTF-8.
            writer.append(TrackLanguage.unknown)
            writer.append(contentsOf: utf8)
        }
    }

    static func text(_ box: Box) -> String? {
        guard let length = UInt16(bigEndianBytes: box.payload.prefix(2)) else { return nil }
        return String(bytes: box.payload.dropFirst(4).prefix(Int(length)), encoding: .utf8)
    }
}

import Foundation
package import SystemPackage

/// Paths in JSON, whose strings are Unicode, where a Linux file name is any bytes.
extension FilePath {
    /// From the root, so that a process in another folder finds it too.
    package var absolute: FilePath { FilePath(FileManager.default.currentDirectoryPath).pushing(self) }

    /// The path, or a `file:` URL where that is not UTF-8.
    package var wireText: String { String(validating: self) ?? fileURL }

    /// The path as a `file:` URL, every byte of it.
    package var fileURL: String {
        let bytes = absolute.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
        return Self.scheme
            + bytes.map { byte in
                let byte = UInt8(bitPattern: byte)
                // RFC 3986: what is unreserved, and the slash, stay as they are.
                let isPlain = byte < 0x80 && (isalnum(Int32(byte)) != 0 || "-._~/".utf8.contains(byte))
                return isPlain ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
            }.joined()
    }

    /// Reads what ``wireText`` of an absolute path says: one that begins with a slash is itself.
    package init?(wireText: String) {
        guard wireText.hasPrefix(Self.scheme) else {
            self.init(wireText)
            return
        }
        var bytes: [CChar] = []
        var rest = Array(wireText.utf8.dropFirst(Self.scheme.utf8.count))[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(CChar(bitPattern: byte))
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), code != 0
            else { return nil }
            bytes.append(CChar(bitPattern: code))
            rest = rest.dropFirst(2)
        }
        self.init(platformString: bytes + [0])
    }

    private static let scheme = "file://"
}

extension String {
    /// As many of its first bytes in UTF-8 as a field holds, without a piece of a code point at the end: half of one would
    /// make the text unreadable.
    package func utf8Prefix(_ limit: Int) -> [UInt8] {
        guard utf8.count > limit else { return Array(utf8) }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return Array(utf8[..<end])
    }
}

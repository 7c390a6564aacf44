import Foundation
import SystemPackage

extension FilePath {
    /// From the root, so that a process in another folder finds it too.
    var rooted: FilePath {
        isAbsolute ? self : FilePath(FileManager.default.currentDirectoryPath).pushing(self).lexicallyNormalized()
    }

    /// For JSON, whose strings are Unicode: the path, or a file: URL with what is not UTF-8 percent-encoded.
    var wireText: String {
        if let text = String(validating: self) { return text }
        let bytes = rooted.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
        return Self.scheme
            + bytes.map { byte in
                let byte = UInt8(bitPattern: byte)
                // RFC 3986: what is unreserved, and the slash, stay as they are.
                let isPlain = byte < 0x80 && (isalnum(Int32(byte)) != 0 || "-._~/".utf8.contains(byte))
                return isPlain ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
            }.joined()
    }

    /// Reads what ``wireText`` of a rooted path says: one that begins with a slash is itself.
    init?(wireText: String) {
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

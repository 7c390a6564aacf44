import Foundation
import SystemPackage

extension FilePath {
    /// The path as text; one that is not UTF-8 as a percent-encoded `file:` URL.
    var displayString: String {
        if let text = String(validating: self) { return text }
        let allowed = CharacterSet.urlPathAllowed
        return withPlatformString { pointer in
            let bytes = UnsafeBufferPointer(start: pointer, count: strlen(pointer))
            return "file:"
                + bytes.map { byte in
                    let scalar = UnicodeScalar(UInt8(bitPattern: byte))
                    return scalar.isASCII && allowed.contains(scalar)
                        ? String(scalar) : String(format: "%%%02X", UInt8(bitPattern: byte))
                }.joined()
        }
    }
}

import Foundation

/// The objects in the head of a Windows Media file (Advanced Systems Format, section 3).
struct ASFHeader: Sendable {
    struct Object: Sendable {
        let identifier: ArraySlice<UInt8>
        let data: ArraySlice<UInt8>

        /// - Parameter identifier: as it lies in files, written as a UUID.
        func isOne(_ identifier: String) -> Bool { self.identifier.elementsEqual(ASFHeader.bytes(identifier)) }
    }

    let objects: [Object]
    /// The identifier of the File Properties Object (section 3.2), as it lies in files.
    static let properties = "A1DCAB8C-47A9-CF11-8EE4-00C00C205365"

    /// Of the head: it has covers as well.
    private static let maximumSize = 16 << 20
    /// An object's identifier and size.
    private static let headSize = 24
    private static let identifier = bytes("3026B275-8E66-CF11-A6D9-00AA0062CE6C")

    /// - Returns: nil for any other file.
    /// - Throws: `system`.
    init?(_ file: ReadableFile) throws(MovieFileError) {
        let head = try file.read(upTo: Self.headSize, at: 0)
        guard head.starts(with: Self.identifier), let size = Self.number(head[16...], 8), size > Self.headSize else {
            return nil
        }
        // Behind how many objects there are, and two bytes for nothing.
        objects = Self.objects(in: try file.read(upTo: min(size, Self.maximumSize), at: 0).dropFirst(Self.headSize + 6))
    }

    /// Those that lie behind each other.
    static func objects(in bytes: ArraySlice<UInt8>) -> [Object] {
        var (rest, objects) = (bytes, [Object]())
        while rest.count >= Self.headSize, let size = Self.number(rest.dropFirst(16), 8), size >= Self.headSize,
            size <= rest.count
        {
            objects.append(
                Object(identifier: rest.prefix(16), data: rest.prefix(size).dropFirst(Self.headSize)))
            rest = rest.dropFirst(size)
        }
        return objects
    }

    /// The data of the last object of a kind; nil where there is none.
    ///
    /// - Parameter identifier: as it lies in files, written as a UUID.
    subscript(identifier: String) -> ArraySlice<UInt8>? {
        objects.last { $0.isOne(identifier) }?.data
    }

    fileprivate static func bytes(_ identifier: String) -> [UInt8] {
        withUnsafeBytes(of: (UUID(uuidString: identifier) ?? UUID()).uuid) { Array($0) }
    }

    /// A number whose lowest byte comes first; nil where there are not as many bytes, and beyond what can be.
    static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> Int? {
        guard bytes.count >= count else { return nil }
        return Int(exactly: bytes.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// A text of two bytes a letter, up to its first zero.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}

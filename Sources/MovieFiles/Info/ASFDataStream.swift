package import SystemPackage

/// Streams of a Windows Media file that are neither video nor audio (Advanced Systems Format, sections 3.3 and 9.4 to 9.6).
package struct ASFDataStream: Sendable, Hashable {
    package let number: Int
    /// In words, such as "script commands".
    package let content: String

    private static let properties = "9107DCB7-B7A9-CF11-8EE6-00C00C205365"
    private static let contents = [
        ("C0CFDA59-E659-D011-A3AC-00A0C90348F6", "script commands"),
        ("00E11BB6-4E5B-CF11-A8FD-00805F5C442B", "JPEG images"),
        ("E07D9035-15E4-CF11-A917-00805F5C442B", "JPEG images"),
        ("2C22BD91-1CF2-7A49-8B6D-5AA86BFC0185", "files"),
        ("E265FB3A-EF47-F240-AC2C-70A90D71D343", "binary data"),
    ]

    /// Blocks.
    ///
    /// - Returns: none of any other file.
    package static func all(in path: FilePath) throws(MovieFileError) -> [ASFDataStream] {
        let header = try ReadableFile.open(path) { (file) throws(MovieFileError) in try ASFHeader(file) }
        return header?.objects.filter { $0.isOne(properties) }.compactMap { ASFDataStream($0.data) } ?? []
    }

    private init?(_ data: ArraySlice<UInt8>) {
        let type = ASFHeader.Object(identifier: data.prefix(16), data: [])
        // Behind the kinds of the stream and of its error correction, a time, and the lengths of what tells of both.
        guard let found = Self.contents.first(where: { type.isOne($0.0) }),
            let flags = ASFHeader.number(data.dropFirst(48), 2)
        else { return nil }
        (number, content) = (flags & 0x7F, found.1)
    }
}

import Foundation
import MediaTypes
package import SystemPackage

/// The chapters of Windows Media (.wma, .wmv): the Marker Object in the head of the file (Advanced Systems Format, section 3.7).
package enum ASFMarkers {
    /// Reads a file's head; empty where it has none, or one without chapters. Blocks.
    ///
    /// - Throws: `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> [MovieInfo.Chapter] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in try chapters(file) }
    }

    /// Of the head: it has covers as well.
    private static let maximumSize = 16 << 20
    /// More chapters than anybody makes.
    private static let maximumCount = 10_000

    /// The identifiers of objects, as they lie in files.
    private static let (header, properties, marker): (UUID, UUID, UUID) = (
        UUID(uuidString: "3026B275-8E66-CF11-A6D9-00AA0062CE6C") ?? UUID(),
        UUID(uuidString: "A1DCAB8C-47A9-CF11-8EE4-00C00C205365") ?? UUID(),
        UUID(uuidString: "01CD87F4-51A9-CF11-8EE6-00C00C205365") ?? UUID()
    )
    /// An object's identifier and size.
    private static let headSize = 24

    private static func chapters(_ file: ReadableFile) throws(MovieFileError) -> [MovieInfo.Chapter] {
        let head = try file.read(upTo: headSize, at: 0)
        guard isObject(head[...], header), let size = number(head[16...], 8), size > headSize else { return [] }
        // Behind how many objects there are, and two bytes for nothing.
        var rest = try file.read(upTo: min(size, maximumSize), at: 0).dropFirst(headSize + 6)
        var (preroll, markers): (Int, ArraySlice<UInt8>) = (0, [])
        while rest.count >= headSize, let size = number(rest.dropFirst(16), 8), size >= headSize, size <= rest.count {
            let data = rest.prefix(size).dropFirst(headSize)
            if isObject(rest, properties) { preroll = number(data.dropFirst(56), 8) ?? 0 }
            if isObject(rest, marker) { markers = data }
            rest = rest.dropFirst(size)
        }
        return chapters(markers, preroll: min(preroll, 1 << 32) * .millisecond).sorted { $0.start < $1.start }
    }

    /// - Parameter preroll: by how much all times in the file are later than they are presented.
    private static func chapters(_ data: ArraySlice<UInt8>, preroll: MediaTime) -> [MovieInfo.Chapter] {
        // An identifier, how many there are, two bytes for nothing, and a name for all.
        guard let count = number(data.dropFirst(16), 4), let nameSize = number(data.dropFirst(22), 2) else { return [] }
        var (rest, chapters) = (data.dropFirst(24 + nameSize), [MovieInfo.Chapter]())
        for _ in 0..<min(count, maximumCount) {
            // In 100 nanoseconds; before it the place in the file, behind it what servers need, then letters of the title.
            guard let time = number(rest.dropFirst(8), 8), time < 1 << 56, let length = number(rest.dropFirst(26), 4),
                length <= rest.count
            else { break }
            let text = rest.dropFirst(30).prefix(2 * length)
            let units = stride(from: text.startIndex, to: text.endIndex - 1, by: 2).map {
                UInt16(text[$0]) | UInt16(text[$0 + 1]) << 8
            }
            chapters.append(
                MovieInfo.Chapter(
                    start: max(.zero, MediaTime(ticks: UInt64(time), timescale: 10_000_000) - preroll),
                    title: String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)))
            rest = rest.dropFirst(30 + text.count)
        }
        return chapters
    }

    private static func isObject(_ bytes: ArraySlice<UInt8>, _ identifier: UUID) -> Bool {
        withUnsafeBytes(of: identifier.uuid) { bytes.prefix(16).elementsEqual($0) }
    }

    /// A number whose lowest byte comes first; nil where there are not as many bytes, and beyond what can be.
    private static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> Int? {
        guard bytes.count >= count else { return nil }
        return Int(exactly: bytes.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

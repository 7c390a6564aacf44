package import MediaTypes

/// What a TIFF says of when it was taken and how it is turned: a file, raws of most cameras among them, or the block that other
/// files keep EXIF in.
///
/// libexif reads no more than the first 64 KB, and many programs write the tags behind the image.
struct TIFFTags: Sendable, Hashable {
    var date: PhotoDate?
    /// EXIF's, 1 to 8.
    var orientation = 1
    /// Whether it has the colors of print, with more than 8 bits.
    var isDeepCMYK = false
    var profile: ColorProfile?

    /// - Parameter read: gives so many bytes at an offset; fewer, or none, where there are no more.
    /// - Returns: nil where this is no TIFF.
    init?(_ read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
        guard let file = Reader(read) else { return nil }
        let image = file.directory(at: file.first)
        orientation = image[Tag.orientation].map { file.number($0) } ?? 1
        isDeepCMYK =
            image[Tag.colors].map { file.number($0) } == 5 && image[Tag.depth].map { file.first($0) } ?? 8 > 8
        profile = image[Tag.profile].flatMap {
            ColorProfile(file.read(file.number($0.value), min($0.count, Self.largestProfile)))
        }
        guard let exif = image[Tag.exif].map({ file.directory(at: file.number($0)) }),
            let taken = exif[Tag.taken]
        else { return }
        date = PhotoDate(
            file.text(taken), fraction: exif[Tag.fraction].map { file.text($0) },
            zone: exif[Tag.zone].map { file.text($0) })
    }

    /// Of a block in memory.
    init?(_ bytes: [UInt8]) {
        self.init { offset, count in
            guard offset < bytes.count else { return [] }
            return Array(bytes[offset..<min(bytes.count, offset + count)])
        }
    }

    private static let largestProfile = 1 << 20

    private enum Tag {
        static let orientation = 0x112
        /// `BitsPerSample`.
        static let depth = 0x102
        /// `InterColorProfile`, of ICC.
        static let profile = 0x8773
        /// `PhotometricInterpretation`; 5 is CMYK.
        static let colors = 0x106
        /// Where the directory of the tags lies that tell how it was taken.
        static let exif = 0x8769
        /// `DateTimeOriginal`.
        static let taken = 0x9003
        /// `SubSecTimeOriginal`.
        static let fraction = 0x9291
        /// `OffsetTimeOriginal`.
        static let zone = 0x9011
    }

    /// Of a directory: what kind of values, how many, and four bytes that are the values or where they lie.
    private struct Entry {
        var type: Int
        var count: Int
        var value: ArraySlice<UInt8>
    }

    private struct Reader {
        let read: (Int, Int) -> [UInt8]
        let isBigEndian: Bool
        var first = 0

        init?(_ read: @escaping (Int, Int) -> [UInt8]) {
            let head = read(0, 8)
            guard head.count == 8, head[0] == head[1], [0x49, 0x4D].contains(head[0]) else { return nil }
            (self.read, isBigEndian) = (read, head[0] == 0x4D)
            first = number(head[4..<8])
        }

        func number(_ bytes: ArraySlice<UInt8>) -> Int {
            isBigEndian ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        /// The first value of an entry of 16 or 32 bits.
        func number(_ entry: Entry) -> Int { number(entry.type == 3 ? entry.value.prefix(2) : entry.value) }

        /// The first of several values of 16 bits, wherever they lie.
        func first(_ entry: Entry) -> Int {
            entry.count <= 2 ? number(entry) : number(read(number(entry.value), 2)[...])
        }

        func text(_ entry: Entry) -> String {
            // No text that is looked for is longer than a date.
            let count = min(entry.count, 64)
            let bytes = entry.count <= 4 ? Array(entry.value.prefix(count)) : read(number(entry.value), count)
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }

        func directory(at offset: Int) -> [Int: Entry] {
            let head = read(offset, 2)
            guard head.count == 2 else { return [:] }
            let bytes = read(offset + 2, 12 * number(head[...]))
            var entries: [Int: Entry] = [:]
            for start in stride(from: 0, to: bytes.count - 11, by: 12) {
                entries[number(bytes[start..<start + 2])] = Entry(
                    type: number(bytes[start + 2..<start + 4]), count: number(bytes[start + 4..<start + 8]),
                    value: bytes[start + 8..<start + 12])
            }
            return entries
        }
    }
}

/// How a photo is turned to be shown: first mirrored, then turned clockwise.
package struct PhotoOrientation: Sendable, Hashable {
    package var rotation: MovieOrientation.Rotation = .none
    package var isMirrored = false

    /// As it is stored.
    package init() {}

    /// By the EXIF tag `Orientation`, 1 to 8.
    init(exif: Int) {
        isMirrored = [2, 4, 5, 7].contains(exif)
        rotation =
            switch exif {
            case 3, 4: .half
            case 6, 7: .quarter
            case 5, 8: .threeQuarters
            default: .none
            }
    }
}

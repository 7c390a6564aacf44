package import MediaTypes

/// A JPEG cut into what stands before its first scan, and the rest as it is.
package struct JPEGSegments: Sendable, Hashable {
    struct Segment: Sendable, Hashable {
        let marker: UInt8
        /// With its marker and length.
        let bytes: [UInt8]

        /// Whether it begins with that name.
        func isNamed(_ name: String) -> Bool { bytes.dropFirst(4).starts(with: Array(name.utf8)) }
    }

    static let huffmanTables: UInt8 = 0xC4
    private static let (application, tags, scan): (UInt8, UInt8, UInt8) = (0xE0, 0xE1, 0xDA)

    private(set) var segments: [Segment] = []
    /// From the first scan's header on, to the end of the file.
    private let scans: ArraySlice<UInt8>

    /// - Returns: `nil` where the bytes are no JPEG, or end before their first scan.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while true {
            // Any number of fill bytes may stand before a marker.
            while place + 1 < bytes.count, bytes[place] == 0xFF, bytes[place + 1] == 0xFF { place += 1 }
            guard place + 3 < bytes.count, bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            if marker == Self.scan {
                scans = bytes[place...]
                return
            }
            let end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            guard end > place + 3, end <= bytes.count else { return nil }
            segments.append(Segment(marker: marker, bytes: Array(bytes[place..<end])))
            place = end
        }
    }

    /// Of the image; `nil` where the header does not tell.
    package var size: VideoSize? {
        // Frame headers: C0 to CF but for tables and what extends the format.
        let header = segments.first { (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker) }
        guard let bytes = header?.bytes, bytes.count > 8 else { return nil }
        return VideoSize(Int(bytes[7]) << 8 + Int(bytes[8]), Int(bytes[5]) << 8 + Int(bytes[6]))
    }

    /// The file with other tags, and its image as it was, bit for bit.
    ///
    /// A camera's Motion JPEG may leave out the tables that all have; a photo has them.
    ///
    /// - Parameter exif: from ``PhotoMarks/exif()``; `nil` where they are too many for a JPEG.
    package func tagged(_ exif: [UInt8]) -> [UInt8]? {
        guard exif.count + 2 <= Int(UInt16.max) else { return nil }
        let kept = segments.filter {
            !($0.marker == Self.tags && $0.isNamed("Exif\0")) && !($0.marker == Self.application && $0.isNamed("AVI1"))
        }
        let jfif = kept.prefix { $0.marker == Self.application }
        var file: [UInt8] = [0xFF, 0xD8]
        for segment in jfif { file += segment.bytes }
        let length = exif.count + 2
        file += [0xFF, Self.tags, UInt8(length >> 8), UInt8(length & 255)] + exif
        for segment in kept.dropFirst(jfif.count) { file += segment.bytes }
        if !kept.contains(where: { $0.marker == Self.huffmanTables }) {
            for table in JPEGEncoder.standardTables { file += table }
        }
        return file + scans
    }
}

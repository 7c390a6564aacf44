import Foundation
import TestSupport

/// A small DNG: a sensor's values of a gray image, 16 bits each, and beside them a JPEG of what the camera would show.
///
/// Of the specification 1.4 it has what a reader has to have.
struct MadeDNG {
    private struct Entry {
        var tag: UInt16
        var type: UInt16
        var count: UInt32
        var bytes: [UInt8]
    }

    private var bytes: [UInt8] = Array("II".utf8) + [42, 0, 0, 0, 0, 0]

    /// - Parameters:
    ///   - gray: a byte for each pixel.
    ///   - preview: a JPEG, and its size.
    init(gray: [UInt8], width: Int, height: Int, preview: (jpeg: [UInt8], width: Int, height: Int)? = nil) {
        let sensor = bytes.count
        // Lower than white: demosaicing may overshoot.
        for value in gray { append(UInt16(value) * 200) }
        let raw: [Entry] = [
            long(254, 0), long(256, width), long(257, height), short(258, 16), short(259, 1), short(262, 32803),
            long(273, sensor), short(274, 1), short(277, 1), long(278, height), long(279, 2 * gray.count),
            Entry(tag: 33421, type: 3, count: 2, bytes: [2, 0, 2, 0]),
            // Red and green, then green and blue.
            Entry(tag: 33422, type: 1, count: 4, bytes: [0, 1, 1, 2]),
            Entry(tag: 50706, type: 1, count: 4, bytes: [1, 4, 0, 0]),
            Entry(tag: 50708, type: 2, count: 5, bytes: Array("Made\0".utf8)), short(50717, 51000),
            // From XYZ to a camera whose colors are sRGB's.
            rationals(50721, 10, [32405, -15371, -4985, -9693, 18760, 416, 556, -2040, 10572]),
            rationals(50728, 5, [9505, 10000, 10890].map { _ in 10000 }), short(50778, 21),
        ]
        var previewPlace = 0
        if let preview {
            previewPlace = bytes.count
            bytes += preview.jpeg
        }
        var link = 4
        appendDirectory(raw, &link)
        if let preview {
            appendDirectory(
                [
                    long(254, 1), long(256, preview.width), long(257, preview.height),
                    Entry(tag: 258, type: 3, count: 3, bytes: [8, 0, 8, 0, 8, 0]), short(259, 7), short(262, 6),
                    long(273, previewPlace), short(277, 3), long(278, preview.height), long(279, preview.jpeg.count),
                ], &link)
        }
    }

    /// Of an image file, as large as given.
    static func make(
        _ path: String, of image: String, width: Int, height: Int,
        preview: (jpeg: [UInt8], width: Int, height: Int)? = nil
    ) async throws {
        let gray = try await Tool.succeed(
            "convert", [image, "-resize", "\(width)x\(height)!", "-depth", "8", "gray:-"])
        let file = MadeDNG(gray: Array(gray.output), width: width, height: height, preview: preview)
        try Data(file.bytes).write(to: URL(filePath: path))
    }

    private func long(_ tag: UInt16, _ value: Int) -> Entry {
        Entry(tag: tag, type: 4, count: 1, bytes: little(UInt32(value)))
    }
    private func short(_ tag: UInt16, _ value: UInt16) -> Entry {
        Entry(tag: tag, type: 3, count: 1, bytes: little(value) + [0, 0])
    }
    private func rationals(_ tag: UInt16, _ type: UInt16, _ values: [Int32]) -> Entry {
        Entry(
            tag: tag, type: type, count: UInt32(values.count),
            bytes: values.flatMap { little($0) + little(Int32(10000)) })
    }
    private func little<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    private mutating func append<Number: FixedWidthInteger>(_ value: Number) { bytes += little(value) }

    /// - Parameter link: where its place is written, and then where the next one's is.
    private mutating func appendDirectory(_ entries: [Entry], _ link: inout Int) {
        var places: [Int] = []
        for entry in entries {
            places.append(bytes.count)
            if entry.bytes.count > 4 { bytes += entry.bytes + (entry.bytes.count % 2 == 0 ? [] : [0]) }
        }
        bytes.replaceSubrange(link..<link + 4, with: little(UInt32(bytes.count)))
        append(UInt16(entries.count))
        for (entry, place) in zip(entries, places) {
            append(entry.tag)
            append(entry.type)
            append(entry.count)
            bytes += entry.bytes.count > 4 ? little(UInt32(place)) : entry.bytes
        }
        link = bytes.count
        append(UInt32(0))
    }
}

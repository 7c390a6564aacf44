extension LookupTable {
    /// Why a file is no table, as the end of a sentence that names it.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// - Parameter bytes: a `.cube` file's.
    /// - Throws: ``Failure`` with the number of the line that is wrong.
    package init(cube bytes: some Sequence<UInt8>) throws(Failure) {
        var reader = CubeReader()
        var line: [UInt8] = []
        var previous: UInt8 = 0
        for byte in bytes {
            defer { previous = byte }
            switch byte {
            // As Windows ends lines.
            case 0x0A where previous == 0x0D: continue
            case 0x0A, 0x0D:
                try reader.take(line)
                line.removeAll(keepingCapacity: true)
            default:
                line.append(byte)
                guard line.count <= 4096 else { throw Failure(description: "it is not text") }
            }
        }
        try reader.take(line)
        self = try reader.table()
    }
}

/// Reads a `.cube` file line by line.
private struct CubeReader {
    typealias Failure = LookupTable.Failure

    private var number = 0
    private var (curveSize, cubeSize): (Int?, Int?) = (nil, nil)
    private var curveDomain = (lower: SIMD4<Float>(0, 0, 0, 0), upper: SIMD4<Float>(1, 1, 1, 1))
    private var cubeDomain = (lower: SIMD4<Float>(0, 0, 0, 0), upper: SIMD4<Float>(1, 1, 1, 1))
    private var points: [SIMD4<Float>] = []

    mutating func take(_ line: [UInt8]) throws(Failure) {
        number += 1
        let isFirst = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
        let words = line.dropFirst(isFirst ? 3 : 0).split { $0 == 0x20 || $0 == 0x09 }
        guard let first = words.first, let initial = first.first, initial != UInt8(ascii: "#") else { return }
        guard !Self.beginsNumber(initial) else { return points.append(try color(words[...])) }
        switch String(decoding: first, as: UTF8.self) {
        case "LUT_1D_SIZE": curveSize = try size(words, 65536)
        case "LUT_3D_SIZE": cubeSize = try size(words, 256)
        case "DOMAIN_MIN":
            let lower = try color(words.dropFirst())
            (curveDomain.lower, cubeDomain.lower) = (lower, lower)
        case "DOMAIN_MAX":
            let upper = try color(words.dropFirst())
            (curveDomain.upper, cubeDomain.upper) = (upper, upper)
        case "LUT_1D_INPUT_RANGE": curveDomain = try range(words.dropFirst())
        case "LUT_3D_INPUT_RANGE": cubeDomain = try range(words.dropFirst())
        case let word where word.hasSuffix("_VIDEO_RANGE"):
            throw Failure(description: "line \(number) expects video-range values (\(word)); export it for full range")
        // The title, and words of programs' own.
        case let word:
            guard word.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
                throw Failure(description: "line \(number) is not part of such a file")
            }
        }
    }

    func table() throws(Failure) -> LookupTable {
        let curves = curveSize ?? 0
        let cube = cubeSize.map { $0 * $0 * $0 } ?? 0
        guard curves + cube > 0 else {
            throw Failure(description: "it does not say its size (LUT_3D_SIZE or LUT_1D_SIZE)")
        }
        guard points.count == curves + cube else {
            let size = [curveSize, cubeSize].compactMap { $0.map(String.init) }.joined(separator: " and ")
            throw Failure(
                description: "it has \(points.count) colors, and with a size of \(size) needs \(curves + cube)")
        }
        for domain in [curveDomain, cubeDomain]
        where (0..<3).contains(where: { domain.upper[$0] - domain.lower[$0] < Self.smallestDomain }) {
            throw Failure(description: "its domain is empty")
        }
        return LookupTable(
            curves: curveSize.map { LookupGrid(size: $0, domain: curveDomain, points: Array(points[..<curves])) },
            cube: cubeSize.map { LookupGrid(size: $0, domain: cubeDomain, points: Array(points[curves...])) })
    }

    private mutating func size(_ words: [ArraySlice<UInt8>], _ most: Int) throws(Failure) -> Int {
        guard words.count == 2, let size = Int(String(decoding: words[1], as: UTF8.self)), (2...most).contains(size)
        else { throw Failure(description: "line \(number) needs a size from 2 to \(most)") }
        return size
    }

    private func color(_ words: ArraySlice<ArraySlice<UInt8>>) throws(Failure) -> SIMD4<Float> {
        let values = try numbers(words, 3, "three")
        return SIMD4(values[0], values[1], values[2], 1)
    }

    private func range(
        _ words: ArraySlice<ArraySlice<UInt8>>
    ) throws(Failure) -> (lower: SIMD4<Float>, upper: SIMD4<Float>) {
        let values = try numbers(words, 2, "two")
        return (SIMD4(values[0], values[0], values[0], 0), SIMD4(values[1], values[1], values[1], 1))
    }

    /// By Swift's own reader, which knows no other decimal point.
    private func numbers(
        _ words: ArraySlice<ArraySlice<UInt8>>, _ count: Int, _ name: String
    ) throws(Failure) -> [Float] {
        let values = words.compactMap { Float(String(decoding: $0, as: UTF8.self)) }.filter(\.isFinite)
        guard words.count == count, values.count == count else {
            throw Failure(description: "line \(number) does not have \(name) numbers")
        }
        guard values.allSatisfy({ abs($0) <= Self.largest }) else {
            throw Failure(description: "line \(number) has a number above \(Int(Self.largest))")
        }
        return values
    }

    /// Of a half float, as OpenEXR has them. With these two no place in a table is infinite, or not a number.
    private static let largest: Float = 65504
    private static let smallestDomain: Float = 1e-6

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")].contains(byte)
    }
}

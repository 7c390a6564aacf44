import CLibAV
import Foundation

/// The samples of a decoded frame, to be read while it is lent.
package struct RawPlanes {
    private let frame: AVFrame
    private let format: RawFormat
    private let library: FormatLibrary

    init(_ frame: AVFrame, _ format: RawFormat, file library: FormatLibrary) {
        (self.frame, self.format, self.library) = (frame, format, library)
    }

    /// Where a plane is written to.
    package struct Target {
        let base: UnsafeMutableRawPointer
        let bytesPerRow: Int

        package init(base: UnsafeMutableRawPointer, bytesPerRow: Int) {
            (self.base, self.bytesPerRow) = (base, bytesPerRow)
        }
    }

    /// Writes the planes in the format that is handed out.
    package func write(to targets: [Target]) {
        guard let conversion = format.conversion else { return copy(to: targets) }
        if format.isFloat {
            LinearPlanes(frame).write(to: targets, bits: conversion.bits)
        } else {
            convert(to: targets, conversion)
        }
    }

    private var width: Int { Int(frame.width) }
    private var height: Int { Int(frame.height) }

    /// Of a component's samples in a row, or of rows, where one stands for 2 to the power of so many.
    private static func count(_ whole: Int, _ shift: Int) -> Int { (whole + (1 << shift) - 1) >> shift }

    private func copy(to targets: [Target]) {
        guard let description = library.pixels(format.pixels)?.pointee else { return }
        let data = [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
        let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3].map { Int($0) }
        for (plane, target) in targets.enumerated() {
            guard let source = data[plane] else { return }
            let bytes = min(Int(library.rowBytes(format.pixels, frame.width, Int32(plane))), target.bytesPerRow)
            let isChroma = plane == 1 || plane == 2
            let rows = Self.count(height, isChroma ? Int(description.log2_chroma_h) : 0)
            for row in 0..<rows {
                memcpy(target.base + row * target.bytesPerRow, source + row * strides[plane], bytes)
            }
        }
    }

    private func convert(to targets: [Target], _ conversion: RawFormat.Conversion) {
        let bits = conversion.bits
        guard let description = library.pixels(format.pixels) else { return }
        let depths = [
            description.pointee.comp.0.depth, description.pointee.comp.1.depth, description.pointee.comp.2.depth,
            description.pointee.comp.3.depth,
        ]
        let flags = description.pointee.flags
        let isPalette = flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
        let isRGB = isPalette || flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        // Planes of RGB lie in the order green, blue, red; components in the order red, green, blue, the bytes of a palette the other way round.
        let order = isPalette ? [1, 0, 2] : isRGB ? [1, 2, 0, 3] : [0, 1, 2]
        let isInverted = format.pixels == AV_PIX_FMT_MONOWHITE
        var line = [UInt16](repeating: 0, count: width)
        for (plane, target) in targets.prefix(order.count).enumerated() {
            let component = order[plane]
            let isChroma = !isRGB && plane > 0
            // Of the frame's own, and of what is written.
            let own = (
                isChroma ? Int(description.pointee.log2_chroma_w) : 0,
                isChroma ? Int(description.pointee.log2_chroma_h) : 0
            )
            let new = isChroma ? (conversion.columns, conversion.rows) : (0, 0)
            let (count, read) = (Self.count(width, new.0), Self.count(width, own.0))
            let scale = Scale(from: isPalette ? 8 : Int(depths[component]), to: bits)
            for row in 0..<Self.count(height, new.1) {
                let ownRow = min((row << new.1) >> own.1, Self.count(height, own.1) - 1)
                readLine(&line, description, row: ownRow, isPalette ? 0 : component, read)
                if isPalette { look(up: &line, component) }
                let place = target.base + row * target.bytesPerRow
                for column in 0..<count {
                    var value = scale(line[min((column << new.0) >> own.0, read - 1)])
                    if isInverted { value = UInt16((1 << bits) - 1) - value }
                    if bits > 8 {
                        place.storeBytes(of: value, toByteOffset: column * 2, as: UInt16.self)
                    } else {
                        place.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: column, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// Puts a byte of the palette's colors in the place of their numbers.
    private func look(up line: inout [UInt16], _ byte: Int) {
        guard let palette = frame.data.1 else { return }
        for column in line.indices { line[column] = UInt16(palette[Int(line[column] & 0xFF) * 4 + byte]) }
    }

    private func readLine(
        _ line: inout [UInt16], _ description: UnsafePointer<AVPixFmtDescriptor>, row: Int, _ component: Int,
        _ count: Int
    ) {
        var data: (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?) = (
            UnsafePointer(frame.data.0), UnsafePointer(frame.data.1), UnsafePointer(frame.data.2),
            UnsafePointer(frame.data.3)
        )
        var strides = (frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3)
        withUnsafeMutablePointer(to: &data) { data in
            data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 4) { data in
                withUnsafePointer(to: &strides) { strides in
                    strides.withMemoryRebound(to: Int32.self, capacity: 4) { strides in
                        library.readLine(
                            &line, data, strides, description, 0, Int32(row), Int32(component), Int32(count),
                            0, 2)
                    }
                }
            }
        }
    }
}

/// Samples of so many bits as ones of other bits: the most stays the most where they grow.
private struct Scale {
    private let from: Int
    private let to: Int

    init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

    func callAsFunction(_ value: UInt16) -> UInt16 {
        if from == to { return value }
        if from > to { return value >> UInt16(from - to) }
        // Few bits are those of RGB and of black and white, all of whose values are used.
        if from < 8 { return UInt16(Int(value) * ((1 << to) - 1) / ((1 << from) - 1)) }
        return value << UInt16(to - from)
    }
}

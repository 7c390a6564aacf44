import MediaTypes
import Testing

@testable import Imaging

@Suite struct OverlayTests {
    private static let layouts = [
        GradedLayout(bitDepth: 8, halvesColumns: true, halvesRows: true),
        GradedLayout(bitDepth: 8, halvesColumns: true, halvesRows: true, interleavesChroma: true),
        GradedLayout(bitDepth: 10, halvesColumns: false, halvesRows: false),
        GradedLayout(bitDepth: 10, shift: 6, halvesColumns: true, halvesRows: true, interleavesChroma: true),
    ]

    private func box(_ area: PixelRectangle, _ color: FrameColor, opacity: Double = 1) -> OverlayImage {
        var image = OverlayImage(area)
        let mask = [UInt8](repeating: 255, count: area.width * area.height)
        image.cover(area, mask: mask, bytesPerRow: area.width, color: color, opacity: opacity)
        return image
    }

    @Test(arguments: layouts.indices)
    func `colors are those of the frame's matrix, and half of both where they cover half`(
        index: Int
    ) {
        let layout = Self.layouts[index]
        let size = VideoSize(16, 8)
        let red = FrameColor(red: 1, green: 0, blue: 0)
        let expected = red.samples(.bt709, bitDepth: layout.bitDepth).map { Int($0) }
        let grey = 1 << (layout.bitDepth - 1)
        for (opacity, share) in [(1.0, 1.0), (0.5, 0.5)] {
            let overlay = FrameOverlay(
                box(PixelRectangle(x: 4, y: 2, width: 6, height: 4), red, opacity: opacity), layout, size: size,
                color: .bt709)
            let (bytes, down) = (layout.bitDepth == 8 ? 1 : 2, layout.halvesRows ? 2 : 1)
            let across = layout.halvesColumns ? 2 : 1
            let widths = [16] + (layout.interleavesChroma ? [32 / across] : [16 / across, 16 / across])
            var memory = widths.enumerated().map { plane, width in
                [UInt16](repeating: UInt16(grey << layout.shift), count: width * (plane == 0 ? 8 : 8 / down))
            }
            // Samples of one byte lie in bytes.
            var narrow = memory.map { $0.map { UInt8(truncatingIfNeeded: $0) } }
            withPlanes(&memory, &narrow, bytes, widths) { overlay.draw(into: $0) }
            func sample(_ plane: Int, _ place: Int) -> Int {
                bytes == 1 ? Int(narrow[plane][place]) : Int(memory[plane][place]) >> layout.shift
            }
            func mixed(_ kind: Int) -> ClosedRange<Int> {
                let value = Double(grey) * (1 - share) + Double(expected[kind]) * share
                return Int(value - 1)...Int(value + 1)
            }
            #expect(mixed(0).contains(sample(0, 3 * 16 + 5)))
            #expect(sample(0, 3 * 16 + 3) == grey && sample(0, 3 * 16 + 10) == grey && sample(0, 16 + 5) == grey)
            let (row, column) = (2 / down, 4 / across)
            if layout.interleavesChroma {
                #expect(mixed(1).contains(sample(1, row * widths[1] + 2 * column)))
                #expect(mixed(2).contains(sample(1, row * widths[1] + 2 * column + 1)))
                #expect(sample(1, row * widths[1] + 2 * column - 1) == grey)
            } else {
                #expect(mixed(1).contains(sample(1, row * widths[1] + column)))
                #expect(mixed(2).contains(sample(2, row * widths[1] + column)))
                #expect(sample(2, row * widths[1] + column - 1) == grey)
            }
        }
    }

    private func withPlanes(
        _ wide: inout [[UInt16]], _ narrow: inout [[UInt8]], _ bytes: Int, _ widths: [Int],
        _ body: ([MutableFrameView.Plane]) -> Void
    ) {
        let planes = widths.indices.map { index in
            let count = wide[index].count * bytes
            let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
            if bytes == 1 {
                memory.copyMemory(from: narrow[index], byteCount: count)
            } else {
                memory.copyMemory(from: wide[index], byteCount: count)
            }
            return MutableFrameView.Plane(memory, bytesPerRow: widths[index] * bytes)
        }
        body(planes)
        for (index, plane) in planes.enumerated() {
            let count = wide[index].count * bytes
            if bytes == 1 {
                narrow[index].withUnsafeMutableBytes { $0.copyMemory(from: .init(start: plane.base, count: count)) }
            } else {
                wide[index].withUnsafeMutableBytes { $0.copyMemory(from: .init(start: plane.base, count: count)) }
            }
            plane.base.deallocate()
        }
    }

    @Test(arguments: MovieOrientation.Rotation.allCases, [false, true])
    func `what is stored for a turned frame is seen where it was drawn`(
        rotation: MovieOrientation.Rotation, isMirrored: Bool
    ) {
        let orientation = MovieOrientation(rotation: rotation, isMirrored: isMirrored)
        let stored = VideoSize(12, 8)
        let seen = orientation.swapsWidthAndHeight ? VideoSize(8, 12) : stored
        // A mark in one corner of a rectangle.
        var image = box(PixelRectangle(x: 1, y: 2, width: 3, height: 4), .black)
        image.cover(box(PixelRectangle(x: 1, y: 2, width: 1, height: 1), .white))
        let turned = image.stored(orientation, in: stored)
        #expect(turned.stored(orientation.inverse, in: seen) == image)
        let mark = turned.pixels.indices.filter { $0 % 4 == 0 && turned.pixels[$0] == 1 }.map { $0 / 4 }
        #expect(mark.count == 1)
        let (x, y) = (mark[0] % turned.area.width + turned.area.x, mark[0] / turned.area.width + turned.area.y)
        let place = isMirrored ? 11 - x : x
        let shown: (Int, Int) =
            switch rotation {
            case .none: (place, y)
            case .quarter: (7 - y, place)
            case .half: (11 - place, 7 - y)
            case .threeQuarters: (y, 11 - place)
            }
        #expect(shown == (1, 2))
    }

    @Test func `scaling keeps what is covered`() {
        let image = box(PixelRectangle(x: 0, y: 0, width: 60, height: 8), .white, opacity: 0.5)
        for target in [
            PixelRectangle(x: 5, y: 6, width: 100, height: 13), PixelRectangle(x: 1, y: 1, width: 20, height: 3),
        ] {
            let scaled = image.scaled(to: target)
            #expect(scaled.area == target)
            #expect(scaled.pixels.allSatisfy { abs($0 - 0.5) < 1e-5 })
        }
    }

    @Test func `white is not as bright as a display of HDR can be`() {
        // ITU-R BT.2408: 58 % of PQ's range, 75 % of HLG's.
        #expect(abs(OverlayLight.pq.color(.white).green - 0.58) < 0.005)
        #expect(abs(OverlayLight.hlg.color(.white).green - 0.75) < 0.005)
        #expect(OverlayLight.pq.color(.black).green < 1e-3)
        #expect(OverlayLight.standard.color(.white) == .white)
    }
}

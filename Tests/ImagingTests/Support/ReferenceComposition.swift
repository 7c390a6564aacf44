import Foundation
import Imaging
import MediaTypes

/// What a composition should be, computed in floating point, pixel by pixel, without any of the library's own parts.
struct ReferenceComposition {
    /// Y, U, V of the output, of its own sizes.
    private(set) var planes: [[Double]]
    private let size: VideoSize
    private let format: ImageFormat

    init(_ main: TestFrame) {
        (format, size) = (main.format, main.format.size)
        planes = (0..<3).map { plane in
            let (width, height) = main.size(of: plane)
            return (0..<width * height).map { main[plane, $0 % width, $0 / width] }
        }
    }

    private var halfWidth: Int { (size.width + 1) / 2 }
    /// Rows of luma that have one of chroma.
    private static func rows(_ format: ImageFormat) -> Int {
        [.i422, .i210, .yuy2, .uyvy].contains(format.pixelFormat) ? 1 : 2
    }
    private var rows: Int { Self.rows(format) }

    mutating func draw(_ inset: TestFrame, at placement: FeedPlacement) {
        let place = placement.rectangle
        let (own, shift) = (Double(rows), rows - 1)
        let (left, top) = (place.x >> 1, place.y >> shift)
        let (wide, high) = ((place.x + place.width + 1) >> 1, (place.y + place.height + shift) >> shift)
        let colors = Colors(from: inset.format, to: format)
        let (stepX, stepY) = (
            placement.crop.width / Double(place.width), placement.crop.height / Double(place.height)
        )
        /// Chroma of the output's grid, before its colors change.
        func chroma(_ plane: Int) -> [Double] {
            let rows = Double(Self.rows(inset.format))
            return Self.area(
                inset, plane, x: (left..<wide).map { (Double(2 * $0 - place.x) * stepX + placement.crop.x) / 2 },
                y: (top..<high).map { ((own * Double($0) - Double(place.y)) * stepY + placement.crop.y) / rows },
                stepX: stepX, stepY: own * stepY / rows,
                bounds: (
                    placement.crop.x / 2, (placement.crop.x + placement.crop.width) / 2, placement.crop.y / rows,
                    (placement.crop.y + placement.crop.height) / rows
                ))
        }
        let luma = Self.area(
            inset, 0, x: (0..<place.width).map { Double($0) * stepX + placement.crop.x },
            y: (0..<place.height).map { Double($0) * stepY + placement.crop.y }, stepX: stepX, stepY: stepY,
            bounds: (
                placement.crop.x, placement.crop.x + placement.crop.width, placement.crop.y,
                placement.crop.y + placement.crop.height
            ))
        let (u, v) = (chroma(1), chroma(2))
        let columns = wide - left
        let shape = Shape(placement)
        var weights = [Int: (all: Double, ring: Double)]()
        for y in max(place.y, 0)..<min(place.y + place.height, size.height) {
            for x in max(place.x, 0)..<min(place.x + place.width, size.width) {
                let (column, row) = (x - place.x, y - place.y)
                let correction = Self.interpolated(
                    u, v, columns, high - top, Double(x) / 2 - 0.25 - Double(left),
                    rows == 1 ? Double(y - top) : Double(y) / 2 - 0.25 - Double(top))
                var value = colors.luma(luma[row * place.width + column], correction.0, correction.1)
                let (all, ring) = shape.coverage(column, row)
                if all > 0 { value += (colors.white.0 - value) * ring / all }
                let index = y * size.width + x
                planes[0][index] += (value - planes[0][index]) * all * placement.opacity
                let half = (y >> shift) * halfWidth + x >> 1
                // At the end of an odd output a sample of chroma has fewer than four pixels.
                let pixels = Double(min(2, size.width - x & ~1) * min(rows, size.height - y / rows * rows))
                weights[half, default: (0, 0)].all += all / pixels
                weights[half, default: (0, 0)].ring += ring / pixels
            }
        }
        for (half, weight) in weights where weight.all > 0 {
            let at = (half / halfWidth - top) * columns + half % halfWidth - left
            let new = colors.chroma(u[at], v[at])
            for (plane, (value, white)) in [(1, (new.0, colors.white.1)), (2, (new.1, colors.white.1))] {
                let drawn = value + (white - value) * weight.ring / weight.all
                planes[plane][half] += (drawn - planes[plane][half]) * weight.all * placement.opacity
            }
        }
    }

    /// Decibels, of all of a plane of a rectangle of luma.
    func psnr(_ frame: TestFrame, _ plane: Int, in place: PixelRectangle) -> Double {
        let (width, _) = frame.size(of: plane)
        let share = plane == 0 ? 0 : 1
        let shift = plane == 0 ? 0 : rows - 1
        var (sum, count) = (0.0, 0.0)
        for y in max(place.y, 0) >> shift..<(min(place.y + place.height, size.height) + shift) >> shift {
            for x in max(place.x, 0) >> share..<(min(place.x + place.width, size.width) + share) >> share {
                let difference = frame[plane, x, y] - planes[plane][y * width + x]
                sum += difference * difference
                count += 1
            }
        }
        let peak = Double(1 << format.pixelFormat.bitDepth - 1)
        return 10 * log10(peak * peak / max(sum / count, 1e-9))
    }

    /// The mean of the area of each sample, or, of what becomes larger, linear between the two nearest.
    private static func area(
        _ frame: TestFrame, _ plane: Int, x: [Double], y: [Double], stepX: Double, stepY: Double,
        bounds: (left: Double, right: Double, top: Double, bottom: Double)
    ) -> [Double] {
        let (width, height) = frame.size(of: plane)
        let columns = x.map { taps($0, stepX, bounds.left, bounds.right, width) }
        let rows = y.map { taps($0, stepY, bounds.top, bounds.bottom, height) }
        return rows.flatMap { row in
            columns.map { column in
                row.reduce(0) { sum, tap in
                    sum + tap.1 * column.reduce(0) { $0 + $1.1 * frame[plane, $1.0, tap.0] }
                }
            }
        }
    }

    private static func taps(_ begin: Double, _ step: Double, _ low: Double, _ high: Double, _ count: Int) -> [(
        Int, Double
    )] {
        if step < 1 {
            let center = min(max(begin + step / 2, low), high) - 0.5
            let (first, last) = (Int(low.rounded(.down)), min(Int(high.rounded(.up)), count) - 1)
            let near = Int(center.rounded(.down))
            let share = center - Double(near)
            return [(min(max(near, first), last), 1 - share), (min(max(near + 1, first), last), share)]
        }
        let (from, to) = (min(max(begin, low), high), min(max(begin + step, low), high))
        let all = (0..<count).map { index -> (Int, Double) in
            let pixel = Double(index)
            return (index, min(to, pixel + 1) - max(from, pixel))
        }.filter { $0.1 > 0 }
        let sum = all.reduce(0) { $0 + $1.1 }
        return all.map { ($0.0, $0.1 / sum) }
    }

    private static func interpolated(
        _ u: [Double], _ v: [Double], _ width: Int, _ height: Int, _ x: Double, _ y: Double
    ) -> (Double, Double) {
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (shareX, shareY) = (x - Double(left), y - Double(top))
        func at(_ plane: [Double], _ column: Int, _ row: Int) -> Double {
            plane[min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)]
        }
        func mixed(_ plane: [Double]) -> Double {
            (at(plane, left, top) * (1 - shareX) + at(plane, left + 1, top) * shareX) * (1 - shareY)
                + (at(plane, left, top + 1) * (1 - shareX) + at(plane, left + 1, top + 1) * shareX) * shareY
        }
        return (mixed(u), mixed(v))
    }

    /// How much of a pixel a rounded rectangle covers, and how much its border: 20 × 20 points.
    private struct Shape {
        let placement: FeedPlacement

        init(_ placement: FeedPlacement) { self.placement = placement }

        func coverage(_ column: Int, _ row: Int) -> (all: Double, ring: Double) {
            let place = placement.rectangle
            let (across, down) = (min(column, place.width - 1 - column), min(row, place.height - 1 - row))
            let isCorner = Double(max(across, down)) <= placement.cornerRadius
            if !isCorner, Double(min(across, down)) > placement.borderWidth { return (1, 0) }
            var (all, inner) = (0.0, 0.0)
            for y in 0..<20 {
                for x in 0..<20 {
                    let (px, py) = (Double(column) + (Double(x) + 0.5) / 20, Double(row) + (Double(y) + 0.5) / 20)
                    if contains(px, py, inset: 0) { all += 1 }
                    if contains(px, py, inset: placement.borderWidth) { inner += 1 }
                }
            }
            return (all / 400, (all - inner) / 400)
        }

        private func contains(_ x: Double, _ y: Double, inset: Double) -> Bool {
            let (width, height) = (Double(placement.rectangle.width), Double(placement.rectangle.height))
            let radius = max(placement.cornerRadius - inset, 0)
            guard x >= inset, y >= inset, x <= width - inset, y <= height - inset else { return false }
            let dx = max(inset + radius - x, x - (width - inset - radius), 0)
            let dy = max(inset + radius - y, y - (height - inset - radius), 0)
            return (dx * dx + dy * dy).squareRoot() <= radius || dx == 0 || dy == 0
        }
    }

    /// By way of red, green and blue.
    private struct Colors {
        let (from, to): (ImageFormat, ImageFormat)

        init(from: ImageFormat, to: ImageFormat) { (self.from, self.to) = (from, to) }

        var white: (Double, Double) { samples(1, 0, 0).0 >= 0 ? (samples(1, 0, 0).0, samples(1, 0, 0).1) : (0, 0) }

        private static func weights(_ matrix: ColorEncoding.Matrix) -> (Double, Double) {
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        }

        private func samples(_ y: Double, _ u: Double, _ v: Double) -> (Double, Double, Double) {
            let depth = to.pixelFormat.bitDepth
            let (unit, most, middle) = (Double(1 << (depth - 8)), Double(1 << depth - 1), Double(1 << (depth - 1)))
            return to.color.range == .full
                ? (y * most, u * most + middle, v * most + middle)
                : (y * 219 * unit + 16 * unit, u * 224 * unit + middle, v * 224 * unit + middle)
        }

        private func converted(_ y: Double, _ u: Double, _ v: Double) -> (Double, Double, Double) {
            let depth = from.pixelFormat.bitDepth
            let (unit, most, middle) = (Double(1 << (depth - 8)), Double(1 << depth - 1), Double(1 << (depth - 1)))
            let isFull = from.color.range == .full
            let luma = isFull ? y / most : (y - 16 * unit) / (219 * unit)
            let (cb, cr) = ((u - middle) / (isFull ? most : 224 * unit), (v - middle) / (isFull ? most : 224 * unit))
            let (kr, kb) = Self.weights(from.color.matrix)
            let (red, blue) = (luma + 2 * (1 - kr) * cr, luma + 2 * (1 - kb) * cb)
            let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
            let (newR, newB) = Self.weights(to.color.matrix)
            let new = newR * red + (1 - newR - newB) * green + newB * blue
            return samples(new, (blue - new) / (2 * (1 - newB)), (red - new) / (2 * (1 - newR)))
        }

        private var most: Double { Double(1 << to.pixelFormat.bitDepth - 1) }
        func luma(_ y: Double, _ u: Double, _ v: Double) -> Double { min(max(converted(y, u, v).0, 0), most) }
        func chroma(_ u: Double, _ v: Double) -> (Double, Double) {
            let new = converted(Double(1 << (from.pixelFormat.bitDepth - 1)), u, v)
            return (min(max(new.1, 0), most), min(max(new.2, 0), most))
        }
    }
}

import Foundation
import Imaging
import MediaTypes
import TestSupport
import Testing

/// HDR as SDR: the tables beside the formulas, and beside ffmpeg's `zscale` where nothing is bent.
@Suite struct ToneMappingTests {
    private static let size = VideoSize(98, 63)

    /// A frame with many colors, brighter or darker, and more or less colored.
    private func frame(
        _ format: PixelFormat, _ range: ColorEncoding.Range, brightness: Double, color: Double = 1
    ) -> TestFrame {
        var frame = TestFrame.pattern(
            ImageFormat(format, size: Self.size, color: ColorEncoding(.bt2020, range)), seed: 3)
        let unit = Double(1 << (format.bitDepth - 8))
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width { frame[0, x, y] = ((frame[0, x, y] - 40 * unit) * brightness + 40 * unit) }
        }
        for plane in 1...2 {
            let (width, height) = frame.size(of: plane)
            for y in 0..<height {
                for x in 0..<width {
                    frame[plane, x, y] = ((frame[plane, x, y] - 128 * unit) * color + 128 * unit).rounded()
                }
            }
        }
        return frame
    }

    private func mapped(_ frame: TestFrame, _ mapping: ToneMapping) -> TestFrame {
        frame.graded { FrameGrading(mapping, $0, size: $1.size, color: $1.color) }
    }

    /// How far samples are from what each pixel should be, in code values of 8 bits; chroma is the mean of its pixels'.
    private func errors(
        of ours: TestFrame, _ wanted: (_ x: Int, _ y: Int) -> [Double]
    ) -> (luma: Double, chroma: Double) {
        let (depth, isFull) = (ours.format.pixelFormat.bitDepth, ours.format.color.range == .full)
        let unit = Double(1 << (depth - 8))
        let last = unit * 256 - 1
        func sample(_ value: Double, _ plane: Int) -> Double {
            let scaled = isFull ? value * last : value * unit * (plane == 0 ? 219 : 224)
            return scaled + (plane > 0 ? 128 * unit : isFull ? 0 : 16 * unit)
        }
        var largest = [0.0, 0.0, 0.0]
        for plane in 0..<3 {
            let (width, height) = ours.size(of: plane)
            let step = plane == 0 ? 1 : 2
            for y in 0..<height {
                for x in 0..<width {
                    var (sum, count) = (0.0, 0.0)
                    for row in step * y..<min(step * y + step, Self.size.height) {
                        for column in step * x..<min(step * x + step, Self.size.width) {
                            (sum, count) = (sum + wanted(column, row)[plane], count + 1)
                        }
                    }
                    let right = min(sample(sum / count, plane), last)
                    largest[plane] = max(largest[plane], abs(ours[plane, x, y] - right) / unit)
                }
            }
        }
        return (largest[0], max(largest[1], largest[2]))
    }

    @Test(
        arguments: [
            (ToneMapping(.pq, .bt2020, peak: 1000), ToneReference(isHLG: false)),
            (ToneMapping(.pq, .bt2020, peak: 4000), ToneReference(isHLG: false, peak: 4000)),
            (ToneMapping(.pq, .bt2020, peak: 203), ToneReference(isHLG: false, peak: 203)),
            (ToneMapping(.hlg, .bt2020), ToneReference(isHLG: true)),
        ], [PixelFormat.i420, .i010, .p010])
    func `each pixel is what the formulas make of it`(
        mapping: (tables: ToneMapping, formulas: ToneReference), format: PixelFormat
    ) {
        for range in [ColorEncoding.Range.limited, .full] {
            let frame = frame(format, range, brightness: 1.2)
            let unit = Double(1 << (format.bitDepth - 8))
            let (offset, luma, chroma) =
                range == .full ? (0, 256 * unit - 1, 256 * unit - 1) : (16 * unit, 219 * unit, 224 * unit)
            let result = errors(of: mapped(frame, mapping.tables)) { x, y in
                mapping.formulas.converted(
                    (frame[0, x, y] - offset) / luma, (frame[1, x / 2, y / 2] - 128 * unit) / chroma,
                    (frame[2, x / 2, y / 2] - 128 * unit) / chroma)
            }
            // Half is the rounding of 8 bits; chroma of 8 bits comes from quarters.
            let rounding = format.bitDepth == 8 ? 0.5 : 0.125
            #expect(result.luma < rounding + 0.2 && result.chroma < rounding + 0.3, "\(range): \(result)")
        }
    }

    @Test func `black and white are exact, and bright light is not lost`() {
        for (format, depth) in [(PixelFormat.i420, 8), (.i010, 10)] {
            var frame = TestFrame(ImageFormat(format, size: VideoSize(8, 2), color: ColorEncoding(.bt2020)))
            let unit = Double(1 << (depth - 8))
            // Black, then 100, 203, 400, 600, 800, 1000 and 10,000 cd/m² (BT.2408, table 1).
            let values = [0, 0.508, 0.581, 0.653, 0.697, 0.727, 0.7518, 1]
            for (x, value) in values.enumerated() {
                for y in 0...1 { frame[0, x, y] = (value * 219 + 16) * unit }
            }
            for plane in 1...2 { for x in 0..<4 { frame[plane, x, 0] = 128 * unit } }
            let shown = mapped(frame, ToneMapping(.pq, .bt2020))
            let luma = (0..<8).map { Double(Int(shown[0, $0, 0]) >> (depth - 8)) }
            #expect(luma[0] == 16 && luma[6] == 235 && luma[7] == 235)
            #expect(zip(luma, luma.dropFirst()).prefix(4).allSatisfy { $0 < $1 }, "\(luma)")
            // 100 cd/m² are nearly what they were: 2^(1/2.4) below white.
            #expect(abs(luma[1] - (16 + 219 * pow(100 / 203, 1 / 2.4))) < 3, "\(luma)")
            for plane in 1...2 {
                for x in 0..<4 { #expect(Int(shown[plane, x, 0]) >> (depth - 8) == 128) }
            }
        }
    }

    @Test(
        .requires(tool: "ffmpeg", package: "ffmpeg"),
        arguments: [
            ("smpte2084", ToneMapping(.pq, .bt2020, peak: 203), (0.6, 0.4)),
            ("arib-std-b67", ToneMapping(.hlg, .bt2020), (0.2, 0.3)),
        ])
    func `what is not bent is as ffmpeg has it`(
        transfer: String, mapping: ToneMapping, pattern: (brightness: Double, color: Double)
    ) async throws {
        let folder = try TemporaryFolder()
        let frame = frame(.i010, .limited, brightness: pattern.brightness, color: pattern.color)
        var full = Data()
        for plane in 0..<3 {
            for y in 0..<Self.size.height {
                for x in 0..<Self.size.width {
                    let value = UInt16(plane == 0 ? frame[0, x, y] : frame[plane, x / 2, y / 2])
                    full.append(contentsOf: [UInt8(value & 255), UInt8(value >> 8)])
                }
            }
        }
        try full.write(to: URL(filePath: folder.file("in.raw")))
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv444p10le"]
                + ["-s", "\(Self.size.width)x\(Self.size.height)", "-i", folder.file("in.raw"), "-vf"]
                + [
                    "zscale=min=2020_ncl:rin=limited:tin=\(transfer):pin=2020:m=gbr:r=full:t=linear:p=709:npl=203:agamma=false,"
                        + "format=gbrpf32le,zscale=min=gbr:rin=full:tin=linear:pin=709:m=gbr:r=full:t=709:p=709:npl=203:agamma=false:d=none,"
                        + "format=gbrp16le",
                    "-f", "rawvideo", "-",
                ])
        let theirs = result.output.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        let count = Self.size.width * Self.size.height
        try #require(theirs.count == 3 * count)
        let errors = errors(of: mapped(frame, mapping)) { x, y in
            let place = y * Self.size.width + x
            let (green, blue, red) = (
                Double(theirs[place]) / 65535, Double(theirs[count + place]) / 65535,
                Double(theirs[2 * count + place]) / 65535
            )
            let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
            return [luma, (blue - luma) / 1.8556, (red - luma) / 1.5748]
        }
        #expect(errors.luma < 0.5 && errors.chroma < 0.5, "\(errors)")
    }
}

import Foundation
import Imaging
import MediaTypes
import TestSupport
import Testing

/// Look-up tables, beside ffmpeg's: its tetrahedral interpolation, and its `lut1d` for curves.
@Suite struct LookupTableTests {
    /// A cube that no smooth function is, so that any other interpolation shows.
    static func cube(size: Int, seed: UInt64 = 7) -> String {
        var (state, lines) = (seed, ["TITLE \"Rough # film\"", "# made for a test", "LUT_3D_SIZE \(size)", ""])
        func noise() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24) * 0.2 - 0.1
        }
        for index in 0..<size * size * size {
            let last = Double(size - 1)
            let (r, g, b) = (
                Double(index % size) / last, Double(index / size % size) / last, Double(index / size / size) / last
            )
            let color = [0.8 * r + 0.1 * b, 0.1 + 0.7 * g * g + 0.1 * r, 0.9 * sqrt(b)].map { $0 + noise() }
            lines.append(color.map { String(min(max($0, 0), 1)) }.joined(separator: " "))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static let identity = """
        LUT_3D_SIZE 2
        0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1
        """

    // MARK: Colors

    @Test(
        .requires(tool: "ffmpeg", package: "ffmpeg"),
        arguments: [
            ("cube", "lut3d=interp=tetrahedral:file="), ("curves", "lut1d=interp=linear:file="),
        ]) func `colors are those of ffmpeg`(kind: String, filter: String) async throws
    {
        let folder = try TemporaryFolder()
        let text =
            kind == "cube"
            ? Self.cube(size: 9)
            : "LUT_1D_SIZE 5\n0 0.1 0.2\n0.3 0.2 0.1\n0.35 0.7 0.4\n0.8 0.72 0.6\n1 0.9 0.95\n"
        try Data(text.utf8).write(to: URL(filePath: folder.file("look.cube")))
        var colors: [UInt8] = []
        // Every ninth value of each, both ends among them.
        for red in stride(from: 0, through: 255, by: 5) {
            for green in stride(from: 0, through: 255, by: 5) {
                for blue in stride(from: 0, through: 255, by: 5) { colors += [UInt8(red), UInt8(green), UInt8(blue)] }
            }
        }
        try Data(colors).write(to: URL(filePath: folder.file("colors.raw")))
        let size = "52x2704"
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size]
                + ["-i", folder.file("colors.raw"), "-vf", filter + folder.file("look.cube")]
                + ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        let (theirs, table) = (Array(result.output), try LookupTable(cube: Array(text.utf8)))
        try #require(theirs.count == colors.count)
        var largest: Float = 0
        for place in stride(from: 0, to: colors.count, by: 3) {
            let (red, green, blue) = table.color(
                red: Float(colors[place]) / 255, green: Float(colors[place + 1]) / 255,
                blue: Float(colors[place + 2]) / 255)
            // ffmpeg cuts what it should round.
            for (ours, theirs) in zip([red, green, blue], theirs[place...]) {
                largest = max(largest, abs(ours * 255 - Float(theirs) - 0.5))
            }
        }
        #expect(largest <= 0.501, "\(largest)")
    }

    // MARK: Frames

    @Test(
        .requires(tool: "ffmpeg", package: "ffmpeg"), arguments: [PixelFormat.i420, .i010],
        [
            ColorEncoding(.bt601, .full), ColorEncoding(.bt709), ColorEncoding(.bt2020),
        ]) func `frames are within one code value of ffmpeg's whole way in floating point`(
            format: PixelFormat, color: ColorEncoding
        ) async throws
    {
        let folder = try TemporaryFolder()
        let (size, depth) = (VideoSize(98, 63), format.bitDepth)
        let frame = TestFrame.pattern(ImageFormat(format, size: size, color: color), seed: 3)
        try Data(Self.cube(size: 17).utf8).write(to: URL(filePath: folder.file("look.cube")))
        // Each pixel with the chroma that it has here.
        var full = Data()
        for plane in 0..<3 {
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let value = UInt16(plane == 0 ? frame[0, x, y] : frame[plane, x / 2, y / 2])
                    full.append(UInt8(value & 255))
                    if depth > 8 { full.append(UInt8(value >> 8)) }
                }
            }
        }
        try full.write(to: URL(filePath: folder.file("in.raw")))
        let matrix = color.matrix == .bt601 ? "170m" : color.matrix == .bt709 ? "709" : "2020_ncl"
        let (own, rgb) = ("=\(matrix):r", "=gbr:r")
        let range = color.range.rawValue
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", depth > 8 ? "yuv444p10le" : "yuv444p"]
                + ["-s", "\(size.width)x\(size.height)", "-i", folder.file("in.raw"), "-vf"]
                + [
                    "zscale=min\(own)in=\(range):tin=709:pin=709:m\(rgb)=full:t=709:p=709,format=gbrpf32le,"
                        + "lut3d=interp=tetrahedral:file=\(folder.file("look.cube")),"
                        + "zscale=min\(rgb)in=full:tin=709:pin=709:m\(own)=\(range):t=709:p=709:d=none,format=yuv444p16le",
                    "-f", "rawvideo", "-",
                ])
        let wide = result.output.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        try #require(wide.count == 3 * size.width * size.height)
        // A full range of 16 bits is no whole multiple of another.
        let unit = color.range == .full ? 65535 / Double((1 << depth) - 1) : Double(1 << (16 - depth))
        func theirs(_ plane: Int, _ x: Int, _ y: Int) -> Double {
            let (value, middle) = (Double(wide[(plane * size.height + y) * size.width + x]), Double(1 << (depth - 1)))
            return plane == 0 ? value / unit : (value - 32768) / unit + middle
        }
        let ours = graded(frame, try LookupTable(cube: Array(Self.cube(size: 17).utf8)))
        var (luma, chroma) = (0.0, 0.0)
        for y in 0..<size.height {
            for x in 0..<size.width { luma = max(luma, abs(ours[0, x, y] - theirs(0, x, y))) }
        }
        for plane in 1...2 {
            for y in 0..<(size.height + 1) / 2 {
                for x in 0..<(size.width + 1) / 2 {
                    var values: [Double] = []
                    for row in 2 * y...min(2 * y + 1, size.height - 1) {
                        for column in 2 * x...min(2 * x + 1, size.width - 1) {
                            values.append(theirs(plane, column, row))
                        }
                    }
                    let mean = values.reduce(0, +) / Double(values.count)
                    chroma = max(chroma, abs(ours[plane, x, y] - mean))
                }
            }
        }
        // Ours are rounded, chroma of 8 bits from quarters; theirs are not.
        #expect(luma < 0.51 && chroma < 0.64, "\(luma) \(chroma)")
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .i010, .p010]) func `a table that changes nothing leaves each sample`(
        format: PixelFormat
    ) throws {
        var frame = TestFrame.pattern(ImageFormat(format, size: VideoSize(35, 21)), seed: 5)
        let middle = Double(1 << (format.bitDepth - 1))
        // All of them are colors that a screen has.
        for plane in 0..<3 {
            let (width, height) = frame.size(of: plane)
            for y in 0..<height {
                for x in 0..<width { frame[plane, x, y] = ((frame[plane, x, y] - middle) / 3 + middle).rounded() }
            }
        }
        #expect(graded(frame, try LookupTable(cube: Array(Self.identity.utf8))).bytes == frame.bytes)
    }

    @Test(arguments: [(PixelFormat.i420, PixelFormat.nv12), (.i010, .p010)])
    func `where chroma lies makes no difference`(planar: PixelFormat, inTurn: PixelFormat) throws {
        let table = try LookupTable(cube: Array(Self.cube(size: 5).utf8))
        let size = VideoSize(35, 21)
        let results = [planar, inTurn].map {
            graded(TestFrame.pattern(ImageFormat($0, size: size), seed: 9), table)
        }
        for plane in 0..<3 {
            let (width, height) = results[0].size(of: plane)
            for y in 0..<height {
                for x in 0..<width { #expect(results[0][plane, x, y] == results[1][plane, x, y]) }
            }
        }
    }

    private func graded(_ frame: TestFrame, _ table: LookupTable) -> TestFrame {
        frame.graded { FrameGrading(table, $0, size: $1.size, color: $1.color) }
    }

    // MARK: Files

    @Test func `files are read as programs write them`() throws {
        let windows =
            "\u{FEFF}# comment\r\nTITLE \"Été\"\r\n" + Self.identity.replacing("\n", with: "\r\n") + "\r\n\r\n"
        let table = try LookupTable(cube: Array(windows.utf8))
        let (red, green, blue) = table.color(red: 0.25, green: 0.5, blue: 1.5)
        #expect(red == 0.25 && green == 0.5 && abs(blue - 1) < 1e-5)
        // A cube for 0.5 to 1.5 behind curves that bring colors there, as DaVinci Resolve writes them.
        let both =
            "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.5 1.5\n0.5 0.5 0.5\n1.5 1.5 1.5\n"
            + Self.identity.split(separator: "\n").dropFirst().joined(separator: "\n")
        let behind = try LookupTable(cube: Array(both.utf8)).color(red: 0.25, green: 0.5, blue: 0.75)
        #expect(abs(behind.red - 0.25) < 1e-5 && abs(behind.green - 0.5) < 1e-5 && abs(behind.blue - 0.75) < 1e-5)
        let half = "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 0.5 1 2\n" + Self.identity
        let scaled = try LookupTable(cube: Array(half.utf8)).color(red: 0.25, green: 0.25, blue: 0.25)
        #expect(scaled.red == 0.5 && scaled.green == 0.25 && scaled.blue == 0.125)
    }

    @Test(arguments: [
        ("", "it does not say its size (LUT_3D_SIZE or LUT_1D_SIZE)"),
        ("LUT_3D_SIZE 2\n0 0 0\n", "it has 1 colors, and with a size of 2 needs 8"),
        ("\nLUT_3D_SIZE 1\n", "line 2 needs a size from 2 to 256"),
        ("LUT_3D_SIZE 2\r\n0 0 0\r\n0 0,5 0\r\n", "line 3 does not have three numbers"),
        ("LUT_3D_SIZE 2\n0 0 nan\n", "line 2 does not have three numbers"),
        ("LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1", "its domain is empty"),
        ("LUT_1D_SIZE 2\nDOMAIN_MAX 1e-39 1e-39 1e-39\n0 0 0\n1 1 1", "its domain is empty"),
        ("LUT_1D_SIZE 2\n0 0 0\n1 3e38 1", "line 3 has a number above 65504"),
        ("LUT_IN_VIDEO_RANGE\n", "line 1 expects video-range values (LUT_IN_VIDEO_RANGE); export it for full range"),
        ("\u{89}PNG\n", "line 1 is not part of such a file"),
    ]) func `what is no table is told with its line`(text: String, reason: String) {
        #expect {
            _ = try LookupTable(cube: Array(text.utf8))
        } throws: {
            "\($0)" == reason
        }
    }
}

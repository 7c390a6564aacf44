import Encoding
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// 8 bits exported as 10 and 10 as 8, judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DepthTests {
    /// A clip whose left half is black and whose right half is white, in the numbers given; in Matroska, as of MP4 GStreamer's
    /// demuxer (1.22) does not tell the whole range.
    @Test(arguments: [("tv", "16", "235", 64, 940), ("pc", "0", "255", 0, 1023)])
    func `black, white and grey are those of 10 bits`(
        range: String, black: String, white: String, low: Int, high: Int
    ) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "color=size=128x64:rate=25:duration=0.2,format=yuv420p,geq=lum='if(lt(X,W/2),\(black),\(white))':cb=128:cr=128",
                "-c:v", "libx264", "-qp", "0", "-color_range", range, "-colorspace", "bt709", "-color_primaries",
                "bt709",
                "-color_trc", "bt709", folder.file("in.mkv"),
            ])
        let result = try await ExportSession(
            input: FilePath(folder.file("in.mkv")), settings: ExportSettings(preset: "hevc-10bit")
        ).export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.frames == 5)
        let decoded = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", folder.file("out.mp4"), "-frames:v", "1", "-pix_fmt", "yuv420p10le",
                "-f",
                "rawvideo", "-",
            ])
        let bytes = Array(decoded.output)
        #expect(bytes.count == 128 * 64 * 3)
        guard bytes.count == 128 * 64 * 3 else { return }
        let samples: [UInt16] = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        func sample(_ place: Int) -> Int { Int(samples[place]) }
        let row = 32 * 128
        // In the middle of each half, where the edge does not reach.
        #expect(sample(row + 24) == low)
        #expect(sample(row + 104) == high)
        let chroma = 128 * 64 + 16 * 64
        #expect(sample(chroma + 12) == 512)
        let stream = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream=color_range,color_space,color_primaries,color_transfer,pix_fmt",
                "-of", "csv=p=0", folder.file("out.mp4"),
            ])
        #expect(stream.text.contains("yuv420p10le,\(range),bt709,bt709,bt709"), "\(stream.text)")
    }

    /// A slope so gentle that eight columns or so share a value of 8 bits.
    @Test(arguments: [
        ("yuv422p10le", "prores_ks", "mov"), ("yuv420p10le", "ffv1", "mkv"), ("yuv444p12le", "ffv1", "mkv"),
    ])
    func `8 bits made of more are neither darker nor in steps`(
        format: String, codec: String, ending: String
    ) async throws {
        let folder = try TemporaryFolder()
        let (width, height, unit) = (512, 64, format.contains("12") ? 16 : 4)
        let scale = unit / 4
        let input = folder.file("in.\(ending)")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
                + [
                    "color=size=\(width)x\(height):rate=25:duration=0.2,format=\(format),"
                        + "geq=lum='\(scale)*(300+X*0.5)':cb=\(scale)*515:cr=\(scale)*514"
                ]
                + ["-c:v", codec, "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", input])
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(100)
        _ = try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        func decoded(_ file: String, _ format: String) async throws -> [UInt8] {
            Array(
                try await Tool.succeed(
                    "ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", format, "-"]
                ).output)
        }
        let made = try await decoded(folder.file("out.mp4"), "yuv420p")
        let bytes = try await decoded(input, format)
        let original = bytes.withUnsafeBytes { $0.bindMemory(to: UInt16.self).map(Int.init) }
        let count = width * height
        try #require(made.count == 5 * count * 3 / 2 && original.count >= made.count)
        var places: [String: Double] = [:]
        for (name, begin, length) in [("Y", 0, count), ("U", count, count / 4), ("V", count * 5 / 4, count / 4)] {
            let sum: Int = made[begin..<begin + length].reduce(0) { $0 + Int($1) }
            places[name] = Double(sum) / Double(length)
        }
        let luma: Double = Double(original[..<count].reduce(0, +)) / Double(count * unit)
        #expect(abs((places["Y"] ?? 0) - luma) < 0.1, "\(places), \(luma)")
        #expect(abs((places["U"] ?? 0) - 128.75) < 0.1 && abs((places["V"] ?? 0) - 128.5) < 0.1, "\(places)")
        // Each column of a step would have one value; between two values there are some of both.
        let mixed = (0..<width).count { x in Set((0..<height).map { made[$0 * width + x] }).count > 1 }
        #expect(mixed > width / 2, "\(mixed)")
    }

    @Test(arguments: [
        ("yuv420p12le", "hevc", "The frames have 12 bits; 10 are kept."),
        ("yuv444p12le", "prores-hq", "The frames have 12 bits; 10 are kept."),
        ("yuv444p10le", "prores-hq", "The colors are 4:4:4, and this ProRes has 4:2:2; profile 4444 keeps them."),
        ("yuv420p10le", "hevc", ""), ("yuv444p10le", "prores-4444", ""),
    ])
    func `what is lost of depth and colors is said`(format: String, preset: String, words: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x64:rate=25:duration=0.2", "-pix_fmt",
                format,
                "-c:v", "ffv1", input,
            ])
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: preset))
            .export(to: MovieDestination(FilePath(folder.file("out.mov"))))
        if words.isEmpty {
            #expect(!result.notes.contains { $0.contains("bit;") || $0.contains("4:4:4") }, "\(result.notes)")
        } else {
            #expect(result.notes.contains(words), "\(result.notes)")
        }
    }
}

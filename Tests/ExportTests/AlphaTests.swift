import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// How opaque pixels are is kept where the codec can, without loss, and told where it is not.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AlphaTests {
    /// What becomes opaque over the frame, with edges, flat parts and slopes, in sizes that fill no slice.
    private func make(_ name: String, _ options: [String]) async throws -> (folder: TemporaryFolder, input: String) {
        let folder = try TemporaryFolder()
        let alpha = "'if(gt(X,99),1023*mod(Y*3+N*20,255)/255,if(lt(X,20),0,if(lt(mod(X+Y,9),4),1023,1022)))'"
        try await Fixtures.make(
            folder.file(name), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
                + [
                    "testsrc2=size=202x98:rate=25:duration=0.2,format=yuva444p10le,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a=\(alpha)"
                ]
                + options)
        return (folder, folder.file(name))
    }

    /// Of all pixels of a file of 8 or 10 bits, in so many.
    private func alpha(_ file: String, bits: Int) async throws -> [UInt16] {
        let formats = bits == 8 ? ("rgba", "gray") : ("yuva444p10le", "gray10le")
        let bytes = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", file, "-vf", "format=\(formats.0),alphaextract", "-fps_mode",
                "passthrough",
            ]
                + ["-pix_fmt", formats.1, "-f", "rawvideo", "-"]
        ).output
        if bits == 8 { return bytes.map { UInt16($0) } }
        return Array(bytes).withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self))
            }
        }
    }

    @Test(arguments: [
        ("in.mkv", "ffv1", "yuva444p10le"), ("in.mov", "qtrle", "argb"), ("png.mov", "png", "rgba"),
    ])
    func `is the same in ProRes 4444`(name: String, codec: String, format: String) async throws {
        let made = try await make(name, ["-c:v", codec, "-pix_fmt", format])
        let result = try await ExportSession(
            input: FilePath(made.input), settings: ExportSettings(preset: "prores-4444")
        ).export(to: MovieDestination(FilePath(made.folder.file("out.mov"))))
        #expect(!result.notes.contains { $0.contains("transparent") }, "\(result.notes)")
        // Of 8 bits, the highest ones are repeated below.
        let own = try await alpha(made.folder.file("out.mov"), bits: 10)
        let isDeep = format.hasSuffix("10le")
        #expect(
            try await alpha(made.input, bits: isDeep ? 10 : 8).map { isDeep ? $0 : $0 << 2 | $0 >> 6 } == own)
        let written = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", made.folder.file("out.mov")]
        ).text
        #expect(written.hasPrefix("yuva444p"), "\(written)")
        try await FFmpeg.decode(made.folder.file("out.mov"))
    }

    @Test func `is told where it is lost`() async throws {
        let made = try await make("png.mov", ["-c:v", "png", "-pix_fmt", "rgba"])
        let result = try await ExportSession(input: FilePath(made.input), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(made.folder.file("out.mp4"))))
        let words = "What is transparent is opaque in the movie; ProRes in .mov or .mkv keeps it, with profile 4444."
        #expect(result.notes.contains(words), "\(result.notes)")
    }

    @Test(arguments: [("in.mov", "prores_ks", "yuva444p10le"), ("png.mov", "png", "rgba")])
    func `is the same where colors are looked up`(name: String, codec: String, format: String) async throws {
        let profile = codec == "png" ? [] : ["-profile:v", "4"]
        let made = try await make(name, ["-c:v", codec, "-pix_fmt", format] + profile)
        let cube = made.folder.file("half.cube")
        let corners = (0..<8).map { "\($0 & 1) \(Double($0 >> 1 & 1) / 2) \($0 >> 2)" }
        try Data("LUT_3D_SIZE 2\n\(corners.joined(separator: "\n"))\n".utf8).write(to: URL(filePath: cube))
        var settings = ExportSettings(preset: "prores-4444")
        settings.lookupTable = FilePath(cube)
        let result = try await ExportSession(input: FilePath(made.input), settings: settings)
            .export(to: MovieDestination(FilePath(made.folder.file("out.mov"))))
        #expect(!result.notes.contains { $0.contains("transparent") }, "\(result.notes)")
        let (own, wanted) = (
            try await alpha(made.folder.file("out.mov"), bits: 10), try await alpha(made.input, bits: 10)
        )
        #expect(own.count == wanted.count && zip(own, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
        settings.preset = "h264"
        let opaque = try await ExportSession(input: FilePath(made.input), settings: settings)
            .export(to: MovieDestination(FilePath(made.folder.file("out.mp4"))))
        let words = "What is transparent is opaque in the movie; ProRes in .mov or .mkv keeps it, with profile 4444."
        #expect(opaque.notes.contains(words), "\(opaque.notes)")
        #expect(!opaque.notes.contains { $0.contains("8 bit") } || format != "rgba", "\(opaque.notes)")
    }

    @Test func `that is not there is not told as lost where a part is copied`() async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.webm")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=2", "-pix_fmt"]
                + ["yuv420p", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "25", input])
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: .second, end: nil)
        let result = try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mkv"))))
        #expect(!result.notes.contains { $0.contains("transparent") }, "\(result)")
    }

    /// As Chrome records: `AlphaMode`, and nothing beside the frames.
    @Test func `that nothing tells of is none, and no reason to refuse a file`() async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.webm")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1", "-c:v"]
                + ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-metadata:s:v", "alpha_mode=1", input])
        let told = try await Tool.succeed("ffprobe", ["-v", "error", "-show_streams", input]).text.lowercased()
        try #require(told.contains("tag:alpha_mode=1"))
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.frames == 25 && !result.notes.contains { $0.contains("transparent") }, "\(result)")
        try await FFmpeg.decode(folder.file("out.mp4"))
    }

    private static let vp9 = [
        "-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-deadline", "realtime", "-cpu-used", "8", "-g", "3",
        "-auto-alt-ref", "0",
    ]

    /// Of all pixels of a VP9 file, as libvpx decodes what lies beside the frames: ffmpeg's own decoder does not look there.
    private func alphaOfVP9(_ file: String) async throws -> Data {
        try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-c:v", "libvpx-vp9", "-i", file, "-vf", "alphaextract", "-f", "rawvideo", "-"]
        ).output
    }

    @Test func `of VP9 is kept by copies into Matroska and WebM, and by copies of these`() async throws {
        let made = try await make("in.webm", Self.vp9)
        let wanted = try await alphaOfVP9(made.input)
        #expect(Set(wanted).count > 20)
        let packets = try await FFProbe.packets("v:0", of: made.input)
        var input = made.input
        for name in ["out.mkv", "again.webm", "third.mkv"] {
            let result = try await ExportSession(
                input: FilePath(input), settings: ExportSettings(preset: "copy")
            ).export(to: MovieDestination(FilePath(made.folder.file(name))))
            #expect(!result.notes.contains { $0.contains("transparent") || $0.contains("left out") }, "\(result.notes)")
            input = made.folder.file(name)
            #expect(try await alphaOfVP9(input) == wanted, "\(name)")
            let own = try await FFProbe.packets("v:0", of: input)
            #expect(
                own.map(\.flags) == packets.map(\.flags)
                    && own.map { $0.size?.value } == packets.map { $0.size?.value }, "\(name)")
            let told = try await Tool.succeed("ffprobe", ["-v", "error", "-show_streams", input])
            #expect(told.text.lowercased().contains("tag:alpha_mode=1"), "\(told.text)")
            try await FFmpeg.decode(input)
        }
    }

    /// No movie holds VP8, so the whole file goes from one Matroska file to another as it is.
    @Test(arguments: ["tta", "wavpack"]) func `of VP8 beside what only Matroska holds is kept`(audio: String)
        async throws
    {
        let made = try await make(
            "in.mkv",
            [
                "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=0.2", "-map", "0", "-map", "1", "-c:v", "libvpx",
                "-pix_fmt", "yuva420p", "-deadline", "realtime", "-cpu-used", "8", "-g", "3", "-auto-alt-ref", "0",
                "-c:a",
                audio,
            ])
        func alpha(_ file: String) async throws -> Data {
            try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-c:v", "libvpx", "-i", file, "-map", "0:v", "-vf", "alphaextract"]
                    + ["-f", "rawvideo", "-"]
            ).output
        }
        let wanted = try await alpha(made.input)
        #expect(Set(wanted).count > 20)
        let packets = try await FFProbe.packets("v:0", of: made.input)
        var input = made.input
        for name in ["out.mkv", "again.mkv"] {
            let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "copy"))
                .export(to: MovieDestination(FilePath(made.folder.file(name))))
            #expect(result.notes == ["All tracks are copied as they are."], "\(result.notes)")
            input = made.folder.file(name)
            #expect(try await alpha(input) == wanted, "\(name)")
            let own = try await FFProbe.packets("v:0", of: input)
            #expect(own.map(\.flags) == packets.map(\.flags), "\(name)")
        }
    }

    /// What is of the codecs that are asked for already is copied.
    @Test(arguments: [[], ["-f", "lavfi", "-i", "sine=duration=0.2", "-c:a", "libopus"]])
    func `of VP9 is kept where WebM is asked for`(audio: [String]) async throws {
        let made = try await make("in.webm", audio + Self.vp9)
        let result = try await ExportSession(input: FilePath(made.input), settings: ExportSettings(preset: "webm"))
            .export(to: MovieDestination(FilePath(made.folder.file("out.webm"))))
        #expect(result.notes == ["All tracks are copied as they are."], "\(result.notes)")
        #expect(try await alphaOfVP9(made.folder.file("out.webm")) == alphaOfVP9(made.input))
    }

    /// No muxer here writes what lies beside the frames.
    @Test func `of VP9 is told where a copied part loses it`() async throws {
        let made = try await make("in.webm", Self.vp9)
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: MediaTime(seconds: 0.12))
        let result = try await ExportSession(input: FilePath(made.input), settings: settings)
            .export(to: MovieDestination(FilePath(made.folder.file("out.webm"))))
        #expect(result.notes.contains { $0.contains("VP9 is copied") }, "\(result.notes)")
        let words = "What is transparent is opaque in the movie; preset copy keeps it where all of the movie is copied."
        #expect(result.notes.contains(words), "\(result.notes)")
    }
}

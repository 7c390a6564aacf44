import EditProjects
import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Composition
@testable import Export

/// What becomes of single pixels.
extension ComposeTests {
    @Test func `chroma of each row stays where the output is ProRes 422`() async throws {
        let rows = "format=yuv422p10le,geq=lum='lum(X,Y)':cb='512+300*(2*mod(Y,2)-1)':cr='512-200*(2*mod(Y,2)-1)'"
        let picture = "-vf \(rows) -pix_fmt yuv422p10le -c:v prores_ks -profile:v 3 -an"
        let main = try await MadeMovie("main.mov", picture, seconds: 0.4)
        let inset = try await MadeMovie("inset.mov", picture, seconds: 0.4)
        var composition = try composition(main, inset, [(0, "bottom-right,size=30%,margin=0")])
        composition.alignment = .offset(.zero)
        _ = try await compose(composition, ExportSettings(preset: "prores-hq"), in: main, to: "out.mov")
        let stream = try #require(await FFProbe.inspect(main.folder.file("out.mov")).video.first)
        #expect(stream.pixFmt == "yuv422p10le")
        let compared = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "info", "-i", main.path, "-i", main.folder.file("out.mov"), "-lavfi",
                "[0]crop=iw/2:ih/2:0:0[a];[1]crop=iw/2:ih/2:0:0[b];[a][b]psnr", "-f", "null", "-",
            ])
        let found = compared.errors.firstMatch(of: #/PSNR y:(\S+) u:(\S+) v:(\S+)/#)
        let match = try #require(found)
        for plane in [match.1, match.2, match.3] { #expect(plane == "inf" || Double(plane) ?? 0 > 40, "\(match.0)") }
    }

    private static func raw(_ movie: MadeMovie) async throws -> Data {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", movie.path, "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"]
        ).output
    }

    /// Without what pads its rows.
    private static func bytes(of view: FrameView) -> [UInt8] {
        view.planes.indices.flatMap { index in
            (0..<view.format.pixelFormat.rows(ofPlane: index, height: view.format.size.height)).flatMap { row in
                let plane = view.planes[index]
                let count = view.format.pixelFormat.bytesPerRow(ofPlane: index, width: view.format.size.width)
                return Array(UnsafeRawBufferPointer(start: plane.base + row * plane.bytesPerRow, count: count))
            }
        }
    }

    /// What composes cameras' frames is a ``VideoCompositor`` too.
    @Test func `frames are to the byte what the live way draws of them`() async throws {
        let picture = "-filter_complex noise=alls=60:allf=t -c:v ffv1 -an"
        let main = try await MadeMovie("main.mkv", picture, seconds: 1, size: "328x248")
        let inset = try await MadeMovie("inset.mkv", picture, seconds: 1, size: "160x120")
        var composition = try composition(
            main, inset, [(0, "bottom-right,size=40%,radius=60,border=4,shadow"), (0.3, "side-by-side")])
        composition.steps[1].choice.transition = 400 * .millisecond
        let movies = try composition.paths.map { try MovieInput(InputFile($0)) }
        let input = CompositionInput(composition, movies)
        let target = try ExportTarget(MadeMovie.settings(), container: .mov, files: try PipelineFiles.find())
        let source = try input.source(for: target, without: RetryReasons())
        try await source.open()
        let track = try #require(source.tracks.first)
        let raw = [try await Self.raw(main), try await Self.raw(inset)]
        var compositor = VideoCompositor(composition.steps[0].choice.layout, feeds: 2)
        for number in 0..<25 {
            guard case .sample(let sample) = track.sink.pull(within: .seconds(20)), let buffer = sample.buffer else {
                Issue.record("frame \(number) is missing")
                break
            }
            let stored = try #require(sample.caps)
            let frames: [ComposableFrame?] = try [VideoSize(328, 248), VideoSize(160, 120)].enumerated().map {
                feed, size in
                let caps = stored.setting("width", to: .int(Int64(size.width)))
                    .setting("height", to: .int(Int64(size.height)))
                let format = try #require(ComposedFormat(caps))
                let bytes = format.image.byteCount
                let data = raw[feed][(number * bytes)..<(number + 1) * bytes]
                let buffer = data.withUnsafeBytes { Buffer(copying: $0, presentationTime: nil, duration: nil) }
                return ComposableFrame(buffer, format)
            }
            if let first = frames[0] { compositor.prepare(like: first.format) }
            let (time, sizes) = (number * 40 * MediaTime.millisecond, [VideoSize(328, 248), VideoSize(160, 120)])
            if number == 8 {
                let choice = composition.steps[1].choice
                compositor.make(.to(choice.layout), at: 300 * .millisecond, over: choice.transition, sizes: sizes)
            }
            let composed = compositor.compose(frames, driver: 0, at: time, sizes: sizes)
            let drawn = try #require(composed)
            let format = try #require(compositor.format), own = try #require(ComposedFormat(stored))
            #expect(try buffer.withView(own, Self.bytes) == drawn.withView(format, Self.bytes), "at frame \(number)")
        }
        await source.stop()
    }
}

import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Encoding

/// Frames that are lent to an encoder and not given: one that looked at them later would be refused.
@Suite(.timeLimit(.minutes(10))) struct FrameLenderTests {
    private static let count = 40
    private static let side = 64

    private static let byteCount = side * side * 3 / 2

    /// A pattern that no other frame is like, so that one taken for another shows.
    private static let frames: [[UInt8]] = (0..<count).map { index in
        (0..<byteCount).map { UInt8(truncatingIfNeeded: ($0 &* 7) ^ (index &* 13) &+ $0 / side) }
    }

    private static func encode(_ nodes: [PipelineDescription.Node], isLent: Bool, to file: String) async throws {
        let caps = try Caps("video/x-raw,format=I420,width=\(side),height=\(side),framerate=25/1,colorimetry=bt709")
        var plan = MoviePlan(
            muxer: "matroskamux", isMovieFile: false,
            video: .init(caps: caps, nodes: nodes), purpose: .export)
        plan.lendsFrames = isLent
        let writer = try MovieWriter(plan, destination: MovieDestination(FilePath(file)), options: .init())
        try await writer.start()
        try await onOwnThread {
            for (index, bytes) in frames.enumerated() {
                let time = index * 40 * .millisecond
                _ = writer.write(
                    frame: bytes.withUnsafeBytes {
                        Buffer(copying: $0, presentationTime: time, duration: 40_000_000)
                    })
            }
        }
        writer.endVideo()
        _ = try await writer.finish(within: .seconds(120))
    }

    /// The first element of the codec that needs no hardware, as exports set it, but without vector code: that of x264 (164)
    /// reads memory that nobody has written, so it makes something else of the same frames now and then. And in one thread: x265
    /// with several (3.5) once took minutes on a busy machine.
    private static func nodes(_ codec: VideoCodec) throws -> [PipelineDescription.Node] {
        let request = VideoRequest(
            codec: codec, container: .mkv, size: VideoSize(side, side), rate: Fraction(25), purpose: .export)
        let encoders = try EncoderTables(PipelineFiles.find()).videoEncoders(for: request)
        let encoder = try #require(encoders.first { !$0.isHardware })
        #expect(encoder.copiesFrames)
        return try encoder.nodes(format: "I420", colorimetry: "bt709").map { node in
            let plain = ["x264enc": "asm=0:threads=1", "x265enc": "asm=0:pools=none:frame-threads=1:wpp=0"]
            guard case .element(let factory, let name, var properties) = node, let plain = plain[factory]
            else { return node }
            let place = properties.firstIndex { $0.name == "option-string" }
            let options = place.map { "\(properties.remove(at: $0).value):" } ?? ""
            properties.append(.init("option-string", .text(options + plain)))
            return .element(factory, name: name, properties: properties)
        }
    }

    static let codecs = [VideoCodec.h264, .hevc, .vp9, .av1]

    /// x265 (3.5) makes something else of one frame or another in every tenth encoding, of frames that it keeps as of lent ones: so each
    /// frame is measured by its source, of which no other frame is like it.
    @Test(arguments: codecs) func `an encoder makes the same of frames that it is lent`(codec: VideoCodec) async throws
    {
        let (kept, lent) = try await Self.decoded(Self.nodes(codec))
        let errors = (Self.errors(of: kept), Self.errors(of: lent))
        #expect(errors.0.count == Self.count && errors.1.count == Self.count)
        for (index, (kept, lent)) in zip(errors.0, errors.1).enumerated() {
            #expect(abs(kept - lent) <= 0.1 * kept, "frame \(index): \(kept) and \(lent)")
        }
    }

    /// The mean squared error of each frame.
    private static func errors(of movie: Data) -> [Double] {
        stride(from: 0, to: movie.count, by: byteCount).enumerated().map { index, start in
            var sum = 0
            for (byte, original) in zip(movie[start...], frames[index % count]) {
                let difference = Int(byte) - Int(original)
                sum += difference * difference
            }
            return Double(sum) / Double(byteCount)
        }
    }

    @Test func `a lent frame is not copied, and who looks at it behind the next one is refused`() throws {
        let caps = try Caps("video/x-raw,format=I420,width=64,height=64,framerate=25/1")
        let layout = try #require(VideoFrameLayout(caps))
        let pool = try FramePool(caps, layout)
        let frames = try (0..<2).map { _ in try #require(pool.buffer()) }
        let lender = FrameLender()
        var lent = frames[0]
        lender.lend(&lent)
        let own = try frames[0].withPlanes(layout) { $0.map(\.base) }
        #expect(try lent.withPlanes(layout) { $0.map(\.base) } == own)
        #expect(lent.byteCount == frames[0].byteCount)
        var next = frames[1]
        lender.lend(&next)
        #expect(throws: (any Error).self) { try lent.withBytes { _ in } }
        #expect(try next.withBytes { $0.count } == frames[1].byteCount)
    }

    /// What an encoder makes of frames that it keeps, and of the same that it is lent, as ffmpeg decodes it.
    private static func decoded(_ nodes: [PipelineDescription.Node]) async throws -> (kept: Data, lent: Data) {
        let folder = try TemporaryFolder()
        try await encode(nodes, isLent: false, to: folder.file("kept.mkv"))
        try await encode(nodes, isLent: true, to: folder.file("lent.mkv"))
        return try await (decoded(folder.file("kept.mkv")), decoded(folder.file("lent.mkv")))
    }

    private static func decoded(_ file: String) async throws -> Data {
        try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", file, "-fps_mode", "passthrough", "-pix_fmt", "yuv420p"]
                + ["-f", "rawvideo", "-"]
        ).output
    }
}

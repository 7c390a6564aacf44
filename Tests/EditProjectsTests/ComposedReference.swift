import EditProjects
import Foundation
import Imaging
import MediaTypes
import TestSupport

/// A recording of two cameras that is known to the pixel: movies of both, and the composed one by Rushes' own composer.
struct ComposedReference {
    /// As they are written, the cameras' names in the files' names.
    let project: EditProject
    private let folder: TemporaryFolder
    private static let rate = 30

    /// - Parameters:
    ///   - stem: of the composed movie's name.
    ///   - changes: the layouts, from which frame on, over how many, and which camera is the main one.
    init(
        in folder: TemporaryFolder, stem: String, frames: Int,
        changes: [(frame: Int, layout: Layout, over: Int, order: [Int])]
    ) async throws {
        self.folder = folder
        let sizes = [VideoSize(640, 360), VideoSize(480, 360)]
        let names = ["slides", "face & \"Käthe\" 100%"]
        let cameras = zip(names, sizes).map { name, size in
            EditProject.Movie(
                fileName: "\(stem) – \(name).mov", displayName: name, size: size, rate: Fraction(Self.rate))
        }
        let movie = EditProject.Movie(
            fileName: "\(stem).mov", displayName: stem, size: sizes[0], rate: Fraction(Self.rate))
        var project = EditProject(
            movie: movie, cameras: cameras, duration: MediaTime(samples: frames, rate: Self.rate))
        var (old, transition, begin) = ([FeedPlacement](), LayoutTransition?.none, 0)
        for frame in 0..<frames {
            let change = changes.last { $0.frame == frame }
            if let change {
                var wanted = try change.layout.placements(in: sizes[0], feeds: change.order.map { sizes[$0] })
                for index in wanted.indices { wanted[index].feed = change.order[wanted[index].feed] }
                let over = MediaTime(samples: change.over, rate: Self.rate)
                transition = LayoutTransition(from: old, to: wanted, duration: over)
                begin = frame
            }
            let placements = transition?.placements(at: MediaTime(samples: frame - begin, rate: Self.rate)) ?? []
            guard change != nil || placements != old else { continue }
            let start = MediaTime(samples: frame, rate: Self.rate)
            project.steps.append(.init(start: start, placements: placements, isCut: change != nil))
            old = placements
        }
        self.project = project
        for (index, camera) in cameras.enumerated() { try await record(camera, from: index * 4, frames) }
        try await compose(frames, sizes)
    }

    /// A part of the clip as a camera's movie, with audio.
    private func record(_ camera: EditProject.Movie, from second: Int, _ frames: Int) async throws {
        let (width, height) = (camera.size.width, camera.size.height)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-ss", "\(second)", "-i", Checkout.clip, "-vf"]
                + ["fps=\(Self.rate),crop=ih*\(width)/\(height):ih,scale=\(width):\(height),setsar=1", "-t"]
                + [
                    "\(Double(frames) / Double(Self.rate))", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "8",
                    "-colorspace",
                ]
                + ["bt709", "-color_range", "tv", "-color_primaries", "bt709", "-color_trc", "bt709", "-c:a", "aac"]
                + ["-ac", "2", "-f", "mov", folder.file(camera.fileName)])
    }

    private func compose(_ frames: Int, _ sizes: [VideoSize]) async throws {
        let formats = sizes.map { ImageFormat(.i420, size: $0) }
        var inputs: [Data] = []
        for (camera, format) in zip(project.cameras, formats) {
            let file = folder.file("camera.yuv")
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", folder.file(camera.fileName), "-f", "rawvideo"]
                    + ["-pix_fmt", "yuv420p", file])
            let raw = try Data(contentsOf: URL(filePath: file))
            guard raw.count == format.byteCount * frames else { throw ToolError.missing("a frame") }
            inputs.append(raw)
        }
        let (composer, output) = (FrameComposer(), FrameBuffer(formats[0]))
        var (composed, steps) = (Data(), project.steps[...])
        var placements: [FeedPlacement] = []
        for frame in 0..<frames {
            while let step = steps.first, step.start <= MediaTime(samples: frame, rate: Self.rate) {
                placements = step.placements
                steps.removeFirst()
            }
            try output.withMutableView { view in
                try composer.fill(of: view)
                for placement in placements {
                    let format = formats[placement.feed]
                    try inputs[placement.feed].withUnsafeBytes { bytes in
                        guard let base = bytes.baseAddress else { return }
                        let packed = FrameView(format, packedAt: base + frame * format.byteCount)
                        try composer.draw(packed, at: placement, into: view)
                    }
                }
            }
            output.withView { view in
                let (format, size) = (view.format.pixelFormat, view.format.size)
                for (index, plane) in view.planes.enumerated() {
                    let width = format.bytesPerRow(ofPlane: index, width: size.width)
                    for row in 0..<format.rows(ofPlane: index, height: size.height) {
                        composed.append(Data(bytes: plane.base + row * plane.bytesPerRow, count: width))
                    }
                }
            }
        }
        try composed.write(to: URL(filePath: folder.file("composed.yuv")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "640x360", "-r", "\(Self.rate)"]
                + ["-i", folder.file("composed.yuv"), "-c:v", "ffv1", "-f", "matroska"]
                + [folder.file("composed.mkv")])
    }

    /// How near what melt makes of a project comes to the composed frames, for each as structural similarity.
    ///
    /// - Parameter late: how many frames later than composed each is expected.
    func similarities(of project: EditProject, late: Int = 0) async throws -> [Double] {
        // A file that is not named by melt's command line: names may begin with a dash.
        try project.mlt(name: "take").write(to: URL(filePath: folder.file("take.mlt")))
        let edited = folder.file("edited.mkv")
        try await Melt.render(folder.file("take.mlt"), to: edited)
        let graph =
            "[0:v]trim=start_frame=\(late),settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b];[a][b]ssim=stats_file=-"
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", edited, "-i", folder.file("composed.mkv"), "-lavfi"]
                + [graph, "-f", "null", "/dev/null"])
        let values = result.text.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("All:") }.flatMap { Double($0.dropFirst(4)) }
        }
        guard !values.isEmpty else { throw ToolError.unexpectedOutput(result, "no ssim in it") }
        return values
    }
}

import Composition
package import Encoding
import Errors
import GStreamer
import Imaging
package import MediaTypes
import MovieFiles
import SystemPackage
import Threads
import Workarounds

/// Frames of a movie at even distances, side by side in one image.
struct ContactSheet {
    private let columns: Int
    private let cell: VideoSize
    private let format: ComposedFormat
    private let pool: FramePool
    private var buffer: Buffer
    private var count = 0

    /// Pixels between two frames.
    private static let gap = 4

    /// - Parameters:
    ///   - grid: how many columns and rows.
    ///   - cell: how large each frame is in it.
    /// - Throws: ``RushesError`` where no image is that large, or there is no memory; ``GStreamerError``.
    init(_ grid: VideoSize, of cell: VideoSize) throws {
        self.cell = VideoSize(max(2, cell.width & ~1), max(2, cell.height & ~1))
        columns = grid.width
        let size = VideoSize(
            (self.cell.width + Self.gap) * grid.width - Self.gap, (self.cell.height + Self.gap) * grid.height - Self.gap
        )
        let caps = try Caps(
            "video/x-raw,format=I420,width=\(size.width),height=\(size.height),framerate=0/1,colorimetry=bt709,pixel-aspect-ratio=1/1"
        )
        guard max(size.width, size.height) <= 16384, let format = ComposedFormat(caps) else {
            throw RushesError(
                .invalidSettings,
                "The sheet would have \(size) pixels, and 16384×16384 are the most; choose a smaller \(Term.size).")
        }
        pool = try FramePool(caps, format.layout)
        guard let buffer = pool.buffer() else {
            throw RushesError(.encoderFailed, "There is not enough memory for an image of \(size).")
        }
        (self.format, self.buffer) = (format, buffer)
        try self.buffer.withMutableView(format) { view in
            for (plane, black) in zip(view.planes.indices, [16, 128, 128] as [UInt8]) {
                let rows = plane == 0 ? size.height : (size.height + 1) / 2
                view.planes[plane].base.initializeMemory(
                    as: UInt8.self, repeating: black, count: view.planes[plane].bytesPerRow * rows)
            }
        }
    }

    /// Draws the next frame, row by row.
    mutating func add(_ image: FrameImage) throws {
        let x = count % columns * (cell.width + Self.gap)
        let y = count / columns * (cell.height + Self.gap)
        count += 1
        let part = ImageFormat(.i420, size: cell, color: format.image.color)
        try buffer.withMutableView(format) { view in
            let planes = view.planes.enumerated().map { index, plane in
                let shift = index == 0 ? 0 : 1
                return MutableFrameView.Plane(
                    plane.base + (y >> shift) * plane.bytesPerRow + (x >> shift), bytesPerRow: plane.bytesPerRow)
            }
            try image.draw(into: MutableFrameView(part, planes: planes))
        }
    }

    /// All of it.
    var sample: Sample { Sample(buffer, format.caps) }
}

extension ImageGenerator {
    /// Writes a sheet of frames at even distances.
    ///
    /// - Parameters:
    ///   - grid: how many columns and rows.
    ///   - limits: how large each frame is in it.
    ///   - progress: called with the part of the way to the last one that has been read, from 0 to 1.
    /// - Throws: ``RushesError``; nothing is left then.
    package func writeSheet(
        _ grid: VideoSize, _ limits: ImageLimits, to destination: MovieDestination,
        progress: @escaping (Double) -> Void = { _ in }
    ) async throws -> Image {
        guard let duration, duration > .zero else {
            throw RushesError(.badInput, on: input.displayName, "The length of \(input.displayName) is not known.")
        }
        let count = grid.pixels
        let times = (0..<count).map {
            MediaTime(nanoseconds: duration.nanoseconds * Int64(2 * $0 + 1) / Int64(2 * count))
        }
        let sheet = Locked<ContactSheet?>(nil)
        var notes: [String] = []
        try await frames(at: times, progress) { sample, _ in
            notes = try await onOwnThread("rushes-image") {
                let image = try FrameImage(sample, light, nil)
                try sheet.withLock { sheet in
                    if sheet == nil { sheet = try ContactSheet(grid, of: limits.size(of: image.size)) }
                    try sheet?.add(image)
                }
                return image.notes
            }
        }
        return try await onOwnThread("rushes-image") { [notes] in
            guard let drawn = sheet.withLock({ $0?.sample }) else { throw noFrames }
            let image = try FrameImage(drawn, LightMetadata(), marks(at: .zero))
            try write(image, to: destination)
            return Image(path: destination.path, size: image.size, notes: notes)
        }
    }
}

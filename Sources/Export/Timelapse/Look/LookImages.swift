import Composition
import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import Imaging
import SystemPackage
import Threads

/// The images that grow beside a timelapse, and are written once its movie is complete.
final class LookImages: Sendable {
    private struct State: @unchecked Sendable {
        // What is no value in it is used under the lock alone.
        var keogram: Keogram?
        var trails: (pixels: BrightestPixels, format: ComposedFormat)?
        /// Brings frames to the size and the format of the first.
        let converter = FrameConverter()
        var frames = 0
    }

    private let look: TimelapseLook
    private let state = Locked(State())

    /// Frames whose mean luma is above this are no night, and would make the trails' sky white. As Allsky's star trails have it.
    private static let darkest = 0.35

    init(_ look: TimelapseLook) { self.look = look }

    /// Forgets all frames, for another try.
    func begin() {
        state.withLock { state in
            state = State(keogram: look.keogram.map { _ in Keogram() })
        }
    }

    func add(_ frame: LookedFrame) {
        guard !look.images.isEmpty else { return }
        state.withLock { state in
            state.frames += 1
            // What cannot be read is in the movie neither.
            try? frame.buffer.withView(frame.format) { view in
                state.keogram?.add(view)
                guard look.trails != nil, view.meanLuma <= Self.darkest else { return }
                let trails = state.trails ?? (BrightestPixels(frame.format.image), frame.format)
                state.trails = trails
                guard trails.format.image != frame.format.image else { return trails.pixels.add(view) }
                let scaled = FrameBuffer(trails.format.image)
                try scaled.withMutableView { try state.converter.convert(view, to: $0) }
                scaled.withView { trails.pixels.add($0) }
            }
        }
    }

    /// Writes them. Blocks.
    ///
    /// - Returns: sentences about what was made of how many frames, and what could not be.
    func write() -> [String] {
        state.withLock { state in
            var notes: [String] = []
            if let keogram = look.keogram {
                notes.append(
                    write(keogram) { try state.keogram?.image.map { try $0.png() } }
                        ?? "The keogram is \(keogram.name).")
            }
            if let trails = look.trails {
                guard let (pixels, format) = state.trails else {
                    return notes + ["No frame was dark enough for trails, so there is no \(trails.name)."]
                }
                notes.append(
                    write(trails) { try pixels.png(format) }
                        ?? "The trails of \(pixels.count) of \(state.frames) frames, the dark ones, are \(trails.name)."
                )
            }
            return notes
        }
    }

    /// - Returns: why there is none; nil where it is written.
    private func write(_ image: MovieDestination, _ bytes: () throws -> Data?) -> String? {
        do {
            guard let bytes = try bytes() else { return "There is no \(image.name): no frame came." }
            let output = TemporaryOutput(for: image)
            try output.file().withDescriptor { _ = try $0.writeAll(bytes) }
            try output.commit()
            return nil
        } catch let error where error is Errno || error is RushesError {
            return "\(image.name) could not be written (\(error)); the movie is complete."
        } catch {
            return "\(image.name) could not be made (\(error)); the movie is complete."
        }
    }
}

extension MovieDestination {
    fileprivate var name: String { path.displayName }
}

extension Keogram.Image {
    fileprivate func png() throws -> Data {
        // GStreamer's rows begin at multiples of four bytes.
        let (row, stride) = (width * 3, (width * 3 + 3) & ~3)
        var padded = [UInt8](repeating: 0, count: stride * height)
        for line in 0..<height { padded[line * stride..<line * stride + row] = bytes[line * row..<(line + 1) * row] }
        let buffer = padded.withUnsafeBytes { Buffer(copying: $0, presentationTime: .zero, duration: nil) }
        let caps = try Caps("video/x-raw,format=RGB,width=\(width),height=\(height),framerate=0/1")
        return try Sample(buffer, caps).png().withBytes { Data($0) }
    }
}

extension BrightestPixels {
    fileprivate func png(_ format: ComposedFormat) throws -> Data {
        guard var buffer = try FramePool(format.caps, format.layout).buffer() else { throw Errno.noMemory }
        try withView { pixels in try buffer.withMutableView(format) { $0.copy(pixels) } }
        return try Sample(buffer, format.caps).png().withBytes { Data($0) }
    }
}

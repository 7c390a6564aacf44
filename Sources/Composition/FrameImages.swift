import Errors
package import Foundation
package import GStreamer
import Imaging
import SystemPackage
import Threads

/// Images that grow of the frames of a timelapse: one column of each beside those of the others, and what was brightest in all dark ones.
package final class FrameImages: Sendable {
    package enum Kind: Sendable, Hashable { case keogram, trails }

    private struct State: @unchecked Sendable {
        // What is no value in it is used under the lock alone.
        var keogram: Keogram?
        var trails: (pixels: BrightestPixels, format: ComposedFormat)?
        /// Brings frames to the size and the format of the first, and to 4:2:0 in three planes.
        let converter = FrameConverter()
        var frames = 0
    }

    private let names: [Kind: String]
    private let state: Locked<State>

    /// Frames whose mean luma is above this are no night, and would make the trails' sky white. As Allsky's star trails have it.
    private static let darkest = 0.35

    /// - Parameter names: which images there are to be, and what they are called in sentences.
    package init(_ names: [Kind: String]) {
        self.names = names
        state = Locked(Self.empty(names))
    }

    private static func empty(_ names: [Kind: String]) -> State {
        State(keogram: names[.keogram].map { _ in Keogram() })
    }

    /// Forgets all frames, for another try.
    package func begin() { state.withLock { $0 = Self.empty(names) } }

    package func add(_ buffer: Buffer, _ format: ComposedFormat) {
        guard !names.isEmpty, let planar = format.planar else { return }
        state.withLock { state in
            state.frames += 1
            // What cannot be read is in the movie neither.
            try? buffer.withView(format) { view in
                guard planar.image != format.image else { return try add(view, planar, &state) }
                let converted = FrameBuffer(planar.image)
                try converted.withMutableView { try state.converter.convert(view, to: $0) }
                try converted.withView { try add($0, planar, &state) }
            }
        }
    }

    private func add(_ view: FrameView, _ format: ComposedFormat, _ state: inout State) throws {
        state.keogram?.add(view)
        guard names[.trails] != nil, view.meanLuma <= Self.darkest else { return }
        let trails = state.trails ?? (BrightestPixels(format.image), format)
        state.trails = trails
        guard trails.format.image != format.image else { return trails.pixels.add(view) }
        let scaled = FrameBuffer(trails.format.image)
        try scaled.withMutableView { try state.converter.convert(view, to: $0) }
        scaled.withView { trails.pixels.add($0) }
    }

    /// Makes PNGs of them. Blocks.
    ///
    /// - Parameters:
    ///   - consolation: what is said behind why one is not there, such as "; the movie is complete".
    ///   - put: writes one; what it throws is told.
    /// - Returns: sentences about what was made of how many frames, and what could not be.
    package func write(consolation: String = "", _ put: (Kind, Data) throws -> Void) -> [String] {
        state.withLock { state in
            var notes: [String] = []
            if let name = names[.keogram] {
                let problem = write(.keogram, name, consolation, put) { try state.keogram?.image.map { try $0.png() } }
                notes.append(problem ?? "The keogram is \(name).")
            }
            if let name = names[.trails] {
                guard let (pixels, format) = state.trails else {
                    return notes + ["No frame was dark enough for trails, so there is no \(name)."]
                }
                let problem = write(.trails, name, consolation, put) { try pixels.png(format) }
                notes.append(
                    problem ?? "The trails of \(pixels.count) of \(state.frames) frames, the dark ones, are \(name).")
            }
            return notes
        }
    }

    /// - Returns: why there is none; nil where it is written.
    private func write(
        _ kind: Kind, _ name: String, _ consolation: String, _ put: (Kind, Data) throws -> Void,
        _ bytes: () throws -> Data?
    ) -> String? {
        do {
            guard let bytes = try bytes() else { return "There is no \(name): no frame came." }
            try put(kind, bytes)
            return nil
        } catch let error where error is Errno || error is RushesError {
            return "\(name) could not be written (\(error))\(consolation)."
        } catch {
            return "\(name) could not be made (\(error))\(consolation)."
        }
    }
}

extension ComposedFormat {
    /// The same in three planes of 4:2:0, as images are made of it.
    fileprivate var planar: ComposedFormat? {
        let name = image.pixelFormat.bitDepth == 8 ? "I420" : "I420_10LE"
        guard layout.format != name, let first = caps.first else { return self }
        return ComposedFormat(Caps(first.name, first.fields.merging(["format": .string(name)]) { $1 }))
    }
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

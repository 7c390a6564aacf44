import Composition
import Encoding
import FileSystem
import GStreamer
import SystemPackage

/// The images that grow beside a timelapse, and are written once its movie is complete.
final class TimelapseImages: Sendable {
    private let places: [FrameImages.Kind: MovieDestination]
    private let images: FrameImages

    init(_ look: TimelapseLook) {
        places = [.keogram: look.keogram, .trails: look.trails].compactMapValues(\.self)
        images = FrameImages(places.mapValues { $0.path.displayName })
    }

    /// Forgets all frames, for another try.
    func begin() { images.begin() }

    func add(_ frame: TimelapseFrame) { images.add(frame.buffer, frame.format) }

    /// Writes them. Blocks.
    ///
    /// - Returns: sentences about what was made of how many frames, and what could not be.
    func write() -> [String] {
        images.write(consolation: "; the movie is complete") { kind, bytes in
            guard let place = places[kind] else { return }
            let output = TemporaryOutput(for: place)
            try output.file().withDescriptor { _ = try $0.writeAll(bytes) }
            try output.commit()
        }
    }
}

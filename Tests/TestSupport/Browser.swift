import Foundation

/// Chromium as a judge: does a person who opens the file in a browser see a frame?
public enum Browser {
    public struct Playback: Decodable, Sendable {
        public var file: String
        /// Whether the frame or the audio went on for a second without an error.
        public var plays: Bool
        /// Pixels as shown, rotation applied; 0 where the browser decodes no frame (Debian's: HEVC, MJPEG, ProRes).
        public var width: Int
        public var height: Int
        /// Seconds; nil where the browser does not know it.
        public var duration: Double?
        public var frames: Int
        public var error: String?
    }

    /// Plays each file for a second in a headless Chromium.
    public static func play(_ files: String...) async throws -> [Playback] {
        let result = try await Tool.succeed(Checkout.script("lib/play-in-browser"), files, limit: .seconds(300))
        return try JSONDecoder().decode([Playback].self, from: result.output)
    }
}

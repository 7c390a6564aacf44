import Foundation

/// Frames of noise that carry their number in the upper left corner: sixteen fields, bright for 1.
public enum NumberedFrames {
    private static let (side, field) = (128, 16)

    /// The camera that shows the first, second and so on as they are due: the running time of each is its number by the rate.
    ///
    /// - Parameters:
    ///   - seconds: until its stream ends.
    ///   - rate: frames a second.
    ///   - folder: where its frames are written to.
    public static func camera(seconds: Int, rate: Int = 10, in folder: TemporaryFolder) throws -> String {
        var file = Data(capacity: seconds * rate * side * side * 3 / 2)
        for number in 0..<seconds * rate { file.append(contentsOf: frame(number, over: cameraNoise)) }
        let path = folder.file("numbers.raw")
        try file.write(to: URL(filePath: path))
        return
            "gst:filesrc location=\(path) ! rawvideoparse format=i420 width=\(side) height=\(side) framerate=\(rate)/1 "
            + "! identity sync=true"
    }

    private static let cameraNoise = noise()

    /// What lies beside the numbers: sixteen frames of I420.
    public static func noise() -> [[UInt8]] {
        var random = SeededGenerator.printed(for: "the noise beside the numbers")
        return (0..<16).map { _ in (0..<side * side * 3 / 2).map { _ in UInt8.random(in: 16...235, using: &random) } }
    }

    /// One frame of I420, 128 pixels square.
    public static func frame(_ number: Int, over noise: [[UInt8]]) -> [UInt8] {
        var frame = noise[number % noise.count]
        frame.withUnsafeMutableBytes { bytes in
            for bit in 0..<16 {
                for y in bit / 4 * field..<(bit / 4 + 1) * field {
                    // At once: a minute of frames has half a million of these rows.
                    let row = UnsafeMutableRawBufferPointer(
                        rebasing: bytes[(y * side + bit % 4 * field)...].prefix(field))
                    row.initializeMemory(as: UInt8.self, repeating: number >> bit & 1 == 1 ? 220 : 30)
                }
            }
        }
        return frame
    }

    /// The number of each frame of a movie, in order; or of an image.
    public static func numbers(in path: String) async throws -> [Int] {
        let raw = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-pix_fmt", "gray", "-f", "rawvideo",
                "-",
            ])
        let bytes = [UInt8](raw.output)
        return (0..<bytes.count / (side * side)).map { frame in
            (0..<16).reduce(0) { number, bit in
                let place = frame * side * side + (bit / 4 * field + 8) * side + bit % 4 * field + 8
                return number | (bytes[place] > 125 ? 1 << bit : 0)
            }
        }
    }
}

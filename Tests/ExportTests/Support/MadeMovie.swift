import Encoding
import Export
import Foundation
import GStreamer
import SystemPackage
import TestSupport

/// A short movie whose frames show their numbers, and what becomes of it.
struct MadeMovie {
    let folder: TemporaryFolder
    let path: String

    /// - Parameters:
    ///   - name: whose ending is the container.
    ///   - options: ffmpeg's, for the output.
    init(_ name: String, _ options: String, seconds: Double = 3, size: String = "160x120", rate: Int = 25) async throws
    {
        folder = try TemporaryFolder()
        path = folder.file(name)
        let inputs = [
            // Eight upright bars, each a bit of the frame's number: no encoder blurs that. Made of a pixel each, as the filter computes
            // slowly.
            "-f", "lavfi", "-i",
            "color=size=8x2:rate=\(rate):duration=\(seconds),format=yuv420p,"
                + "geq=lum='if(mod(floor(N/pow(2\\,X))\\,2)\\,235\\,16)':cb=128:cr=128,scale=\(size):flags=neighbor,setsar=1",
            "-f", "lavfi", "-i",
            "aevalsrc='0.3*sin(2*PI*(200+150*t)*t)':s=48000:d=\(seconds)",
        ]
        let options = Tool.words(options)
        try await Fixtures.make(
            path, "ffmpeg", ["-nostdin", "-v", "error"] + inputs + ["-pix_fmt", "yuv420p"] + options)
    }

    /// Exports it to a file beside it.
    func export(_ settings: ExportSettings, to name: String) async throws -> ExportResult {
        try await ExportSession(input: FilePath(path), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    static func settings(_ range: TimeRange? = nil) -> ExportSettings {
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        settings.range = range
        return settings
    }

    /// The numbers of the frames that a file shows, as ffmpeg decodes it.
    func frames(of name: String) async throws -> [Int] { try await Self.numbers(["-i", folder.file(name)]) }

    /// The same of a file anywhere.
    static func frames(at path: String) async throws -> [Int] { try await numbers(["-i", path]) }

    /// The same of a part of each frame, such as 80:60:0:0.
    func frames(of name: String, in area: String) async throws -> [Int] {
        try await Self.numbers(["-i", folder.file(name)], "crop=\(area),")
    }

    /// The numbers of those that ffmpeg takes for a part.
    func frames(from start: Double, lasting seconds: Double) async throws -> [Int] {
        try await Self.numbers(["-ss", "\(start)", "-t", "\(seconds)", "-i", path])
    }

    private static func numbers(_ input: [String], _ filter: String = "") async throws -> [Int] {
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + input
                + [
                    "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", "\(filter)scale=8:1:flags=area", "-pix_fmt",
                    "gray",
                ]
                + ["-f", "rawvideo", "-"])
        let bytes = Array(result.output)
        return stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { place in
            (0..<8).reduce(0) { $0 | (bytes[place + $1] > 128 ? 1 << $1 : 0) }
        }
    }
}

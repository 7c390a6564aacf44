import Foundation
import SystemPackage
import TestSupport

/// Short clips that differ, in a folder "in", and a folder "out" for what is made of them.
struct Clips {
    let folder: TemporaryFolder
    /// What ``arguments(_:inputs:)`` says of the encoding.
    let settings: [String]

    init(
        _ names: [String] = ["a.mp4", "b.mp4", "c.mp4"], duration: Double = 1, settings: [String] = Self.settings
    ) async throws {
        folder = try TemporaryFolder()
        self.settings = settings
        for name in ["in", "out"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
        for (number, name) in names.enumerated() { try await make("in/\(name)", number: number, duration: duration) }
    }

    /// - Parameter number: another frame and tone for each.
    func make(_ name: String, number: Int, duration: Double = 1) async throws {
        try await Fixtures.make(
            folder.file(name), "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "testsrc2=size=320x180:rate=25:duration=\(duration),hue=h=\(number * 40)", "-f", "lavfi", "-i",
                "sine=frequency=\(300 + number * 100):duration=\(duration)", "-c:v", "libx264", "-preset", "ultrafast",
                "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "mp4",
            ])
    }

    /// What makes encoders work, but not for long.
    static let settings = ["--preset", "h264", "--reencode", "--size", "160x90"]

    func arguments(_ more: [String] = [], inputs: [String] = ["in"]) -> [String] {
        ["transcode"] + inputs + ["--output-directory", "out"] + settings + more
    }

    func run(_ more: [String] = [], inputs: [String] = ["in"], limit: Duration = .seconds(120)) async throws
        -> ToolResult
    {
        try await BuiltCommand.rushes.run(arguments(more, inputs: inputs), limit: limit, folder: folder.path)
    }

    func start(_ more: [String] = [], inputs: [String] = ["in"]) throws -> RunningCommand {
        try BuiltCommand.rushes.start(arguments(more, inputs: inputs), folder: folder.path)
    }

    /// The outputs' names.
    var outputs: [String] { contents("out").filter { !$0.hasPrefix(".") } }
    /// What is left of exports that are not complete; nothing, ever, after a batch has ended by itself.
    var leftovers: [String] { contents("out/.rushes-batch/work") + outputs.filter { $0.contains(".part") } }

    private func contents(_ name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.file(name))) ?? []).sorted()
    }

    /// What the batch's folder says of each file.
    struct Record: Decodable {
        var input: String
        var state: String
        var starts: Int
        var completions: Int
        var attempts: [Attempt]?
    }

    /// Who tried.
    struct Attempt: Decodable {
        var node: String
        var task: String?
    }

    func records() throws -> [Record] {
        // A process that is killed may leave the draft of a record beside it.
        try contents("out/.rushes-batch/items").filter { $0.hasSuffix(".json") }.map {
            try JSONDecoder().decode(
                Record.self, from: Data(contentsOf: URL(filePath: folder.file("out/.rushes-batch/items/\($0)"))))
        }
    }

    /// Every frame and sample of an output, as ffmpeg decodes it.
    func decoded(_ output: String) async throws -> String {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", "file:" + folder.file("out/\(output)"), "-f", "framemd5", "-"]
        ).text
    }
}

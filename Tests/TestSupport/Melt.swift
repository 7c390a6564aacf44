import Foundation

/// melt as a judge: what an editor makes of a project.
public enum Melt {
    /// Renders a project into a file of FFV1 and PCM.
    public static func render(_ project: String, to file: String) async throws {
        // On a busy machine melt (7.12) now and then ends well and has written nothing, or does not end.
        for attempt in 1...3 {
            try? FileManager.default.removeItem(atPath: file)
            do {
                _ = try await Tool.succeed(
                    "melt",
                    ["-silent", project, "-consumer", "avformat:\(file)", "vcodec=ffv1", "acodec=pcm_s16le"]
                        + ["real_time=-1", "terminate_on_pause=1"],
                    limit: .seconds(attempt < 3 ? 20 : 100),
                    // Its filters that draw with Qt (7.12) want the name of a display, which Qt itself then does not need.
                    environment: ["DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"])
                if try Data(contentsOf: URL(filePath: file)).count > 1000 { return }
            } catch ToolError.timedOut where attempt < 3 {}
        }
    }
}

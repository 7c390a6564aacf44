import Foundation
import TestSupport

/// GStreamer as it is on a machine where some plugins are not installed: a folder of links to the others, and a registry
/// of its own.
struct LimitedPlugins {
    let environment: [String: String?]
    private let folder: TemporaryFolder

    /// - Parameter plugins: the files that are missing, "libgstx265.so".
    init(without plugins: String...) async throws {
        folder = try TemporaryFolder()
        let result = try await Tool.succeed("pkg-config", ["--variable=pluginsdir", "gstreamer-1.0"])
        let installed = result.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("plugins"), withIntermediateDirectories: false)
        for name in try files.contentsOfDirectory(atPath: installed)
        where name.hasSuffix(".so") && !plugins.contains(name) {
            try files.createSymbolicLink(
                atPath: folder.file("plugins/\(name)"), withDestinationPath: "\(installed)/\(name)")
        }
        environment = [
            "GST_PLUGIN_SYSTEM_PATH_1_0": folder.file("plugins"), "GST_PLUGIN_PATH_1_0": nil,
            "GST_REGISTRY_1_0": folder.file("registry.bin"), "GST_REGISTRY": nil,
        ]
        // Made once here, so that no command waits for it.
        _ = try await Tool.run(
            "gst-inspect-1.0", ["--exists", "fakesink"], limit: .seconds(120), environment: environment)
    }
}

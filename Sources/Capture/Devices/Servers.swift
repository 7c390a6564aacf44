import Foundation

/// Where this user's media servers listen.
enum Servers {
    /// PipeWire's socket, by the rules of its own client library (PIPEWIRE_REMOTE, PIPEWIRE_RUNTIME_DIR).
    static var pipeWireSocket: String? {
        let environment = ProcessInfo.processInfo.environment
        let name = environment["PIPEWIRE_REMOTE"] ?? "pipewire-0"
        if name.hasPrefix("/") { return name }
        let folder = environment["PIPEWIRE_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"] ?? environment["USERPROFILE"]
        return folder.map { "\($0)/\(name)" }
    }

    static var hasPipeWire: Bool { pipeWireSocket.map(FileManager.default.fileExists) ?? false }

    /// Whether udev runs; its own library asks for the same file.
    static var hasUdev: Bool { FileManager.default.fileExists(atPath: "/run/udev/control") }

    /// The V4L2 nodes in /dev, cameras or not.
    static func videoNodes(in folder: String = "/dev") -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("video") && $0.dropFirst(5).allSatisfy(\.isASCIIDigit) && $0.count > 5 }
            .sorted { ($0.count, $0) < ($1.count, $1) }
            .map { "\(folder)/\($0)" }
    }

    /// Whether this user may read and write the file.
    static func mayOpen(_ path: String) -> Bool {
        FileManager.default.isReadableFile(atPath: path) && FileManager.default.isWritableFile(atPath: path)
    }

    /// Why cameras at these nodes cannot be seen, with the cure.
    static func words(forbidden nodes: [String]) -> String {
        "you have no permission to open \(nodes.joined(separator: ", ")); add yourself to the group video "
            + "(sudo usermod -aG video $USER) and log in again"
    }

    static var isFlatpak: Bool { FileManager.default.fileExists(atPath: "/.flatpak-info") }
}

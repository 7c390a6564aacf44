import Foundation
import TestSupport

/// A command on a disk of its own: a tmpfs that only it sees, in a mount namespace that is gone with it.
enum SmallDisk {
    /// Runs the command in a folder on a disk of `size`; what it leaves there is copied to the folder "left" afterwards.
    ///
    /// - Parameters:
    ///   - size: As for tmpfs, "20M".
    ///   - options: Further mount options, "ro" say.
    ///   - prepare: A line of shell that runs in the disk's folder before.
    ///   - meanwhile: A line of shell that runs in the disk's folder beside the command.
    static func run(
        _ arguments: [String], size: String, options: String? = nil, prepare: String? = nil, meanwhile: String? = nil,
        in folder: TemporaryFolder, limit: Duration = .seconds(40)
    ) async throws -> ToolResult {
        let script = """
            mkdir -p disk left && mount -t tmpfs -o "size=$1" none disk && cd disk || exit 99
            [ -z "$2" ] || mount -o "remount,$2" "$PWD" || exit 99
            if [ -n "$3" ]; then sh -c "$3" || exit 99; fi
            if [ -n "$4" ]; then sh -c "$4" >/dev/null 2>&1 & fi
            shift 4
            "$@"
            status=$?
            cp -a . ../left/
            exit "$status"
            """
        // Root needs no user namespace, and some containers forbid them.
        let namespaces = geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"]
        return try await Tool.run(
            "unshare",
            namespaces + [
                "sh", "-c", script, "sh", size, options.map { "\($0),size=\(size)" } ?? "", prepare ?? "",
                meanwhile ?? "",
                try BuiltCommand.rushes.path,
            ]
                + arguments, limit: limit, folder: folder.path)
    }

    /// The path of what was left on the disk.
    static func left(_ name: String, in folder: TemporaryFolder) -> String { folder.file("left/\(name)") }

    static func contents(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("left")).sorted()
    }
}

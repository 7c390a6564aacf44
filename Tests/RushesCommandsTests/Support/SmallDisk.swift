import Foundation
import TestSupport

/// A command on a disk of its own that only it sees, in a mount namespace that is gone with it.
enum SmallDisk {
    enum FileSystem: String, CaseIterable {
        /// Always there, and gives back at once what is cut off.
        case tmpfs
        /// Needs new blocks to overwrite old ones. Only root may mount one, at least 109 MB large.
        case btrfs
        /// What most disks have. Only root may mount one.
        case ext4

        /// Those to test with: on continuous integration all, and what cannot be mounted there fails.
        static var mountable: [Self] {
            allCases.filter { ProcessInfo.processInfo.environment["CI"] != nil || $0.isAvailable }
        }

        /// Whether this machine can mount one.
        var isAvailable: Bool {
            guard self != .tmpfs else { return true }
            let known = try? String(contentsOfFile: "/proc/filesystems", encoding: .utf8)
            return geteuid() == 0 && known?.contains(rawValue) == true && Tool.path(of: "mkfs.\(rawValue)") != nil
                && FileManager.default.fileExists(atPath: "/dev/loop-control")
        }
    }

    /// Runs the command in a folder on a disk of `size`; what it leaves there is copied to the folder "left" afterwards.
    ///
    /// - Parameters:
    ///   - size: As for tmpfs, "20M".
    ///   - options: Further mount options, "ro" say.
    ///   - before: A line of shell that runs in the disk's folder before the command.
    ///   - meanwhile: A line of shell that runs in the disk's folder beside the command.
    ///   - after: A line of shell that runs in the disk's folder after the command.
    ///   - isCommand: Whether the arguments are those of `rushes`, and not a whole command line.
    static func run(
        _ arguments: [String], on fileSystem: FileSystem = .tmpfs, size: String, options: String? = nil,
        before: String? = nil, meanwhile: String? = nil, after: String? = nil, isCommand: Bool = true,
        in folder: TemporaryFolder, limit: Duration = .seconds(120)
    ) async throws -> ToolResult {
        let script = """
            mkdir -p disk left || exit 99
            if [ "$4" = tmpfs ]; then
                mount -t tmpfs -o "size=$1" none disk || exit 99
            else
                truncate -s "$1" image && "mkfs.$4" -q image >/dev/null && mount -o loop image disk || exit 99
            fi
            cd disk || exit 99
            [ -z "$2" ] || mount -o "remount,$2" "$PWD" || exit 99
            if [ -n "$5" ]; then sh -c "$5" >/dev/null 2>&1; fi
            if [ -n "$3" ]; then sh -c "$3" >/dev/null 2>&1 & other=$!; fi
            after=$6
            shift 6
            "$@"
            status=$?
            if [ -n "$after" ]; then sh -c "$after"; fi
            cp -a . ../left/
            # What waits for something that did not come would wait for ever.
            [ -z "$other" ] || kill "$other" 2>/dev/null
            exit "$status"
            """
        return try await Tool.run(
            "unshare",
            Tool.mountNamespace + [
                "sh", "-c", script, "sh", size, options.map { "\($0),size=\(size)" } ?? "", meanwhile ?? "",
                fileSystem.rawValue, before ?? "", after ?? "",
            ] + (isCommand ? [try BuiltCommand.rushes.path] : []) + arguments, limit: limit, folder: folder.path)
    }

    /// The path of what was left on the disk.
    static func left(_ name: String, in folder: TemporaryFolder) -> String { folder.file("left/\(name)") }

    static func contents(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("left")).sorted()
    }
}

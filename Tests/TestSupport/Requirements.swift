import Foundation
public import Testing

/// What a test needs and this machine lacks. On continuous integration (`CI` is set) nothing is skipped: it fails.
struct Missing: Error, CustomStringConvertible {
    var description: String
}

extension Trait where Self == ConditionTrait {
    /// The test needs a program: `.requires(tool: "ffprobe", package: "ffmpeg")`.
    public static func requires(tool: String, package: String) -> Self {
        requirement("needs \(tool); install \(package)") { Tool.path(of: tool) != nil }
    }

    /// The test needs a GStreamer element: `.requires(element: "x265enc", package: "gstreamer1.0-plugins-bad")`.
    public static func requires(element: String, package: String) -> Self {
        requirement("needs GStreamer's \(element); install \(package)") {
            try await Tool.run("gst-inspect-1.0", ["--exists", element]).status == 0
        }
    }

    /// The test needs the right to mount a disk in memory.
    public static var requiresMounts: Self {
        requirement("needs the right to mount; run it as root, or allow user namespaces") {
            let mount = Tool.mountNamespace + ["mount", "-t", "tmpfs", "none", "/mnt"]
            return try await Tool.run("unshare", mount).status == 0
        }
    }

    /// The test needs PulseAudio's server and its tools.
    public static var requiresPulseAudio: Self {
        requirement("needs PulseAudio; install pulseaudio pulseaudio-utils gstreamer1.0-pulseaudio") {
            Tool.path(of: "pulseaudio") != nil && Tool.path(of: "pactl") != nil
        }
    }

    /// The test needs Slurm, and the right to give its nodes processes of their own.
    public static var requiresSlurm: Self {
        requirement("needs Slurm, as root; install slurm-wlm munge") {
            geteuid() == 0 && Tool.path(of: "sbatch") != nil && access("/usr/sbin/slurmctld", X_OK) == 0
        }
    }

    /// The test needs PipeWire with a session manager and its GStreamer elements.
    public static var requiresPipeWire: Self {
        requirement("needs PipeWire; install pipewire wireplumber dbus-daemon gstreamer1.0-pipewire python3-gi") {
            ["pipewire", "wireplumber", "dbus-daemon"].allSatisfy { Tool.path(of: $0) != nil }
        }
    }

    /// The test needs a private desktop: an X server, a bus, a notification daemon, and what is said to them.
    public static var requiresDesktop: Self {
        requirement("needs a desktop's parts; install xvfb dunst dbus-daemon libglib2.0-bin python3-gi imagemagick") {
            ["Xvfb", "dunst", "dbus-daemon", "gdbus", "import"].allSatisfy { Tool.path(of: $0) != nil }
        }
    }

    /// The test needs what the closure looks for; on continuous integration it fails without.
    public static func requirement(_ words: String, _ isMet: @escaping @Sendable () async throws -> Bool) -> Self {
        .enabled(Comment(rawValue: words)) {
            if try await isMet() { return true }
            if ProcessInfo.processInfo.environment["CI"] != nil { throw Missing(description: words) }
            return false
        }
    }
}

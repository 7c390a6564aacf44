import Capture
import Foundation
import TestSupport

/// A camera of a test pattern whose frames another process makes: it is lost when that ends, as one that is unplugged, and there again
/// when another one makes them. It goes with the last reference to it.
final class PluggedCamera {
    let source: VideoSource
    private let socket: String
    private let caps = "video/x-raw,format=I420,width=640,height=360,framerate=30/1"
    private let pattern: String
    private var process: RunningCommand

    /// 640×360 at 30.
    init(_ pattern: String, in folder: TemporaryFolder) async throws {
        (self.pattern, socket) = (pattern, folder.file(pattern))
        source = .launchLine("shmsrc is-live=true do-timestamp=true socket-path=\(socket) ! \(caps)")
        process = try Self.process(pattern, caps, socket)
        try await appears()
    }

    // It takes its shared memory with it.
    deinit { process.signal(SIGINT) }

    private static func process(_ pattern: String, _ caps: String, _ socket: String) throws -> RunningCommand {
        try RunningCommand(
            "gst-launch-1.0",
            "videotestsrc is-live=true pattern=\(pattern) ! \(caps) ! shmsink wait-for-connection=false socket-path=\(socket)"
                .split(separator: " ").map(String.init))
    }

    /// Its first word behind the start: the socket is there by then.
    private func appears() async throws { for await line in process.lines where line.hasPrefix("New clock") { break } }

    func unplug() async throws {
        process.signal(SIGKILL)
        _ = try await process.result(within: .seconds(120))
        // What was killed leaves both; the memory is named by the process (GStreamer's shmpipe.c).
        try FileManager.default.removeItem(atPath: socket)
        try? FileManager.default.removeItem(atPath: String(format: "/dev/shm/shmpipe.%5d.%5d", process.pid, 0))
    }

    func plugIn() async throws {
        process = try Self.process(pattern, caps, socket)
        try await appears()
    }
}

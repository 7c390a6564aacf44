import Foundation
import GStreamer
import MediaTypes
import Threads

/// A window in a process of its own, gst-launch's, which gets raw frames through a socket: Xlib ends the process whose display is gone.
final class PreviewWindow: Sendable {
    /// Of its frames, in pixels: blue, green, red and nothing.
    let size: VideoSize
    private let process: pid_t
    /// -1 once it is closed.
    private let socket: Locked<Int32>
    private let isClosing = Locked(false)
    private static let program = "gst-launch-1.0"

    /// Whether there is what makes one.
    static var isPossible: Bool {
        NewProcess.path(of: program) != nil
    }

    /// Opens one.
    ///
    /// - Parameter title: letters, digits and the marks of file names of it are shown.
    /// - Throws: ``GStreamerError`` if it cannot be opened.
    init(_ size: VideoSize, title: String) throws(GStreamerError) {
        self.size = size
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw GStreamerError(element: "preview", message: "no socket can be opened")
        }
        defer { Foundation.close(ends[1]) }
        // A timeval: seconds and microseconds.
        var limit = (1, 0)
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
        let shown = String(String.UnicodeScalarView(title.unicodeScalars.filter(Self.isHarmless)))
        let arguments =
            [
                Self.program, "--quiet", "fdsrc", "fd=0", "blocksize=\(size.width * size.height * 4)", "!",
                "rawvideoparse",
                "format=bgrx", "width=\(size.width)", "height=\(size.height)", "!",
            ] + (ElementFactory.exists("taginject") ? ["taginject", "tags=title=\"\(shown)\"", "!"] : [])
            + ["videoconvert", "!", "autovideosink", "sync=false"]
        do { process = try NewProcess.start(Self.program, arguments, input: ends[1], .group) } catch {
            Foundation.close(ends[0])
            throw GStreamerError(element: "preview", message: "no window can be opened: \(error)")
        }
        socket = Locked(ends[0])
    }

    deinit { close() }

    /// What gst-launch reads in a description as nothing else.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || " -_.,()".unicodeScalars.contains(scalar)
    }

    /// Shows a frame. Blocks for ten seconds at most, as a window takes its time to open on a busy machine, and for one once it is to be
    /// closed.
    ///
    /// - Returns: false if the window is closed.
    func show(_ bytes: UnsafeRawBufferPointer) -> Bool {
        socket.withLock { socket in
            var rest = bytes[...]
            let limit = TimeLimit(.seconds(10))
            while !rest.isEmpty {
                guard !limit.isOver, !isClosing.withLock({ $0 }) else { return false }
                let sent = send(
                    socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if sent < 0, errno == EINTR || errno == EAGAIN { continue }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
    }

    /// Closes it; what does not close by itself is ended after a second.
    func close() {
        isClosing.withLock { $0 = true }
        let isOpen = socket.withLock { socket in
            defer { socket = -1 }
            return socket >= 0 && Foundation.close(socket) == 0
        }
        guard isOpen else { return }
        Task { [process] in
            for _ in 0..<20 {
                if waitpid(process, nil, WNOHANG) != 0 { return }
                try? await Task.sleep(for: .milliseconds(50))
            }
            kill(process, SIGKILL)
            try? await onOwnThread("rushes-preview") { _ = waitpid(process, nil, 0) }
        }
    }
}

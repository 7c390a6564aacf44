import Foundation

/// GStreamer 1.22, v4l2src: goes with the version that frees the buffers of a camera that is gone; no test: it shows only with a camera of the kernel that is unplugged while it runs.
///
/// What a camera's pipeline leaves open that was unplugged while it ran.
///
/// v4l2src (1.22) never frees its buffers where the driver has gone, and keeps a descriptor of the device for them: a driver then keeps its
/// device file, and one that is to be found under the same name again does not come back.
package enum LeftDescriptors {
    /// Lets go of a device file that nothing in this process uses any more: whoever had it open has stopped.
    ///
    /// The descriptors lead to nothing from then on, and keep their numbers, which whoever left them may still close.
    package static func release(_ path: String) {
        // None of a folder that is being listed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let left = names.compactMap { Int32($0) }.filter { leads($0, to: path) }
        guard !left.isEmpty else { return }
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        // Looked at again right before: whoever left one may close it, and its number be another file's by then.
        for descriptor in left where leads(descriptor, to: path) && dup2(nothing, descriptor) >= 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        close(nothing)
    }

    private static func leads(_ descriptor: Int32, to path: String) -> Bool {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count - 1)
        guard length > 0 else { return false }
        let name = String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The device's file goes with the cable.
        return name == path || name == path + " (deleted)"
    }
}

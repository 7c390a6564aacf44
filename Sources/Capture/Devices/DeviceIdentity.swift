import Foundation

/// How a camera's id is made, so that it stays the same after a restart and after replugging into the same port.
///
/// A device file's number depends on the order of arrival, and the name and serial number of two cameras of one model are
/// often equal. The place on the bus differs: `usb-0000:00:14.0-1:1.0-video-index0` is the driver's bus address, the
/// USB interface (a camera's infrared half has another) and the node's number within it. udev makes its by-path links
/// from the same parts, but is not in every container, and gives both cameras of one platform device the same link.
struct DeviceIdentity {
    /// Where the kernel describes its devices; tests put a folder of their own here.
    var sysfs = "/sys"

    /// - Parameters:
    ///   - path: such as "/dev/video0".
    ///   - busInfo: V4L2's bus address, such as "usb-0000:00:14.0-1" or "platform:vivid-001".
    func id(path: String, busInfo: String?) -> String {
        let node = URL(fileURLWithPath: path).lastPathComponent
        guard let busInfo else { return path }
        let index = text("\(sysfs)/class/video4linux/\(node)/index") ?? "0"
        let interface = usbInterface(node).map { ":\($0)" } ?? ""
        return "\(busInfo)\(interface)-video-index\(index)"
    }

    /// The port and interface of a USB camera without the number of its bus, such as "7:1.0".
    func usbPort(path: String) -> String? {
        let node = URL(fileURLWithPath: path).lastPathComponent
        guard let name = parentName(node), name.contains(":"), let dash = name.firstIndex(of: "-") else { return nil }
        return String(name[name.index(after: dash)...])
    }

    /// Configuration and interface, "1.0" of the device "1-7:1.0"; `nil` for what is not on USB.
    private func usbInterface(_ node: String) -> String? {
        guard let name = parentName(node), let colon = name.lastIndex(of: ":"), name.contains("-") else { return nil }
        let interface = name[name.index(after: colon)...]
        guard interface.allSatisfy({ $0.isASCIIDigit || $0 == "." }), interface.contains(".") else { return nil }
        return String(interface)
    }

    /// The name of the device that the node belongs to, such as "1-7:1.0" or "vivid.0".
    private func parentName(_ node: String) -> String? {
        let link = "\(sysfs)/class/video4linux/\(node)/device"
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return nil }
        return target.split(separator: "/").last.map(String.init)
    }

    private func text(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}

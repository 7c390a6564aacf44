import CGStreamer
import Threads

/// One of GStreamer's device providers, watched by itself.
///
/// Not GstDeviceMonitor: it starts all providers together, and there the libcamera provider hides the V4L2 one (1.22).
package final class DeviceProvider: Sendable {
    /// The factory's name, such as "v4l2deviceprovider".
    package let name: String
    private let provider: Shared

    /// - Returns: `nil` if no installed plugin has such a provider.
    package init?(_ factory: String) {
        GStreamerLibrary.start()
        guard let provider = Shared.named(factory) else { return nil }
        (name, self.provider) = (factory, provider)
    }

    private var pointer: UnsafeMutablePointer<GstDeviceProvider> { provider.reference.cast() }

    /// Starts watching; blocks while the provider asks its server. False if it cannot (no server, no permission).
    ///
    /// Starts are counted for all objects of this name: each wants its ``stop()``.
    package func start() -> Bool { gst_device_provider_start(pointer) != 0 }

    /// Ends one ``start()``.
    package func stop() { gst_device_provider_stop(pointer) }

    /// The devices present; after ``start()`` the provider keeps the list, before it probes once.
    package func devices() -> [Device] {
        let list = gst_device_provider_get_devices(pointer)
        defer { g_list_free(list) }
        var devices: [Device] = []
        var node = list
        while let entry = node {
            if let device = entry.pointee.data {
                devices.append(Device(adopting: device.assumingMemoryBound(to: GstDevice.self)))
            }
            node = entry.pointee.next
        }
        return devices
    }

    /// Arrivals and removals after ``start()``.
    package func messages() -> AsyncStream<BusMessage> { provider.bus.messages() }
}

/// GStreamer makes one provider of each kind and never frees it, so its bus has one reader as long as the process lives:
/// a reader for each Swift object would take the messages away from the one before.
private final class Shared: Sendable {
    let reference: ObjectReference
    let bus: Bus

    private static let all = Locked<[String: Shared]>([:])

    static func named(_ factory: String) -> Shared? {
        all.withLock { all in
            if let known = all[factory] { return known }
            guard let provider = gst_device_provider_factory_get_by_name(factory) else { return nil }
            let reference = ObjectReference(sinking: provider)
            guard let bus = gst_device_provider_get_bus(provider) else { return nil }
            let shared = Shared(reference, Bus(adopting: bus))
            all[factory] = shared
            return shared
        }
    }

    private init(_ reference: ObjectReference, _ bus: Bus) { (self.reference, self.bus) = (reference, bus) }
}

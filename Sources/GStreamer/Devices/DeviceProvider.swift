import CGStreamer

/// One of GStreamer's device providers, watched by itself.
///
/// Not GstDeviceMonitor: it starts all providers together, and there the libcamera provider hides the V4L2 one (1.22).
public final class DeviceProvider: Sendable {
    public let name: String
    private let reference: ObjectReference
    private let bus: Bus

    /// - Returns: `nil` if no installed plugin has such a provider.
    public init?(_ factory: String) {
        GStreamerLibrary.start()
        guard let provider = gst_device_provider_factory_get_by_name(factory) else { return nil }
        name = factory
        reference = ObjectReference(adopting: provider)
        guard let bus = gst_device_provider_get_bus(provider) else { return nil }
        self.bus = Bus(adopting: bus)
    }

    private var pointer: UnsafeMutablePointer<GstDeviceProvider> { reference.cast() }

    /// Starts watching; blocks while the provider asks its server. False if it cannot (no server, no permission).
    public func start() -> Bool { gst_device_provider_start(pointer) != 0 }

    public func stop() { gst_device_provider_stop(pointer) }

    /// The devices present; after ``start()`` the provider keeps the list, before it probes once.
    public func devices() -> [Device] {
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
    public func messages() -> AsyncStream<BusMessage> { bus.messages() }

    deinit { bus.close() }
}

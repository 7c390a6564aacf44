import CGStreamer
import Testing

@testable import GStreamer

/// A device provider made here, so that arrivals and removals need no hardware and no server.
struct TestProvider {
    let name: String
    let pointer: UnsafeMutablePointer<GstDeviceProvider>
    private static let prefix = "rushestestprovider"

    init(_ number: Int) throws {
        GStreamerLibrary.start()
        name = "\(Self.prefix)\(number)"
        let type = g_type_register_static_simple(
            gst_device_provider_get_type(), "RushesTestProvider\(number)",
            guint(MemoryLayout<GstDeviceProviderClass>.size),
            { type, _ in
                let provider = type?.assumingMemoryBound(to: GstDeviceProviderClass.self)
                gst_device_provider_class_set_static_metadata(provider, "Test", "Source/Video", "Test", "Rushes")
                provider?.pointee.start = { _ in 1 }
                provider?.pointee.stop = { _ in }
                provider?.pointee.probe = { _ in g_list_append(nil, TestProvider.device("probed")) }
            }, guint(MemoryLayout<GstDeviceProvider>.size), nil, GTypeFlags(rawValue: 0))
        try #require(gst_device_provider_register(nil, name, 0, type) != 0)
        pointer = try #require(gst_device_provider_factory_get_by_name(name))
    }

    /// A new device, floating as providers make them.
    static func device(_ name: String) -> UnsafeMutablePointer<GstDevice>? {
        var value = (GValue(), GValue(), GValue(), GValue())
        g_value_init(&value.0, rushes_kind_type(RUSHES_KIND_STRING))
        g_value_set_string(&value.0, name)
        g_value_init(&value.1, rushes_kind_type(RUSHES_KIND_STRING))
        g_value_set_string(&value.1, "Video/Source")
        g_value_init(&value.2, gst_caps_get_type())
        g_value_take_boxed(&value.2, gst_caps_from_string("video/x-raw,width=640"))
        g_value_init(&value.3, gst_structure_get_type())
        g_value_take_boxed(&value.3, gst_structure_from_string("properties, bus=(string)usb", nil))
        let names: [String] = ["display-name", "device-class", "caps", "properties"]
        let copies = names.compactMap { g_strdup($0) }
        var pointers = copies.map { Optional(UnsafePointer<CChar>($0)) }
        defer {
            copies.forEach { g_free($0) }
            g_value_unset(&value.0)
            g_value_unset(&value.1)
            g_value_unset(&value.2)
            g_value_unset(&value.3)
        }
        let values = [value.0, value.1, value.2, value.3]
        return g_object_new_with_properties(deviceType, 4, &pointers, values)
            .map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstDevice.self) }
    }

    private static let deviceType = g_type_register_static_simple(
        gst_device_get_type(), "RushesTestDevice", guint(MemoryLayout<GstDeviceClass>.size), nil,
        guint(MemoryLayout<GstDevice>.size), nil, GTypeFlags(rawValue: 0))
}

import CGStreamer
import Testing

@testable import GStreamer

@Suite("Device providers", .serialized, .timeLimit(.minutes(10))) struct DeviceProviderTests {
    private func name(_ content: BusMessage.Content) -> String? {
        switch content {
        case .deviceAdded(let device): "+" + device.displayName
        case .deviceRemoved(let device): "-" + device.displayName
        default: nil
        }
    }

    @Test("A provider that is not installed is nil") func missing() { #expect(DeviceProvider("nosuchprovider") == nil) }

    @Test("A device is read whole, and leaves no reference behind") func device() throws {
        let test = try TestProvider(1)
        let provider = try #require(DeviceProvider(test.name))
        let device = try #require(provider.devices().first)
        #expect(device.displayName == "probed")
        #expect(device.deviceClass == "Video/Source")
        #expect(device.caps?.first?["width"]?.intValue == 640)
        #expect(device.properties["bus"]?.stringValue == "usb")
        // One reference, and none that floats: it was sunk, not added to.
        let object = device.reference.pointer.assumingMemoryBound(to: GObject.self)
        #expect(object.pointee.ref_count == 1)
        #expect(g_object_is_floating(object) == 0)
    }

    @Test("Arrivals and removals reach every listener of every object of the provider") func messages() async throws {
        let test = try TestProvider(2)
        let one = try #require(DeviceProvider(test.name))
        // Made later, as a second list of devices would be: it must take nothing away from the first.
        let two = try #require(DeviceProvider(test.name))
        let listeners = [one.messages(), two.messages(), two.messages()]
        #expect(one.start())
        #expect(two.start())
        let device = try #require(TestProvider.device("camera"))
        gst_object_ref_sink(device)
        gst_device_provider_device_add(test.pointer, device)
        #expect(one.devices().map(\.displayName) == ["camera"])
        gst_device_provider_device_remove(test.pointer, device)
        gst_object_unref(device)
        for listener in listeners {
            var seen: [String] = []
            for await message in listener {
                if let name = name(message.content) { seen.append(name) }
                if seen.count == 2 { break }
            }
            #expect(seen == ["+camera", "-camera"])
        }
        one.stop()
        two.stop()
    }

    @Test("A provider outlives the object that first asked for it") func outlives() async throws {
        let test = try TestProvider(3)
        do { _ = DeviceProvider(test.name) }
        let provider = try #require(DeviceProvider(test.name))
        let messages = provider.messages()
        #expect(provider.start())
        let device = try #require(TestProvider.device("late"))
        gst_device_provider_device_add(test.pointer, device)
        #expect(await messages.first(name) == "+late")
        provider.stop()
    }
}

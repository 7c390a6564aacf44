import Foundation
import GStreamer
import PulseAudio
import Testing

@testable import Capture

/// A folder that looks like /sys/class/video4linux: nodes, what they belong to, and their index.
private func makeSysfs(_ nodes: [(name: String, parent: String, index: Int)]) throws -> DeviceIdentity {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("sysfs-\(UUID())").path
    for node in nodes {
        let folder = "\(root)/class/video4linux/\(node.name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "\(node.index)\n".write(toFile: "\(folder)/index", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/device", withDestinationPath: "../../../\(node.parent)")
    }
    return DeviceIdentity(sysfs: root)
}

private func v4l2(_ name: String, _ path: String, _ bus: String, caps: String = "video/x-raw,format=YUY2") throws
    -> ProviderEntry
{
    ProviderEntry(
        backend: .v4l2, name: name, deviceClass: "Video/Source",
        properties: ["device.path": .string(path), "v4l2.device.bus_info": .string(bus)],
        caps: try Caps("\(caps),width=640,height=480,framerate=30/1").structures)
}

private func source(_ name: String, _ description: String, channels: Int? = nil, isMonitor: Bool = false) -> PulseSource
{
    var source = PulseSource(index: 0, name: name, description: description)
    (source.channels, source.isMonitor) = (channels, isMonitor)
    return source
}

/// What a sound server says.
private func server(_ sources: PulseSource..., default defaultSource: String? = nil) -> PulseSnapshot {
    var snapshot = PulseSnapshot()
    (snapshot.sources, snapshot.defaultSource) = (sources, defaultSource)
    return snapshot
}

@Suite struct DeviceListTests {
    private func list(
        _ entries: [ProviderEntry] = [], _ identity: DeviceIdentity = DeviceIdentity(sysfs: "/nowhere"),
        server: PulseSnapshot = PulseSnapshot()
    ) -> [CaptureDevice] {
        DeviceMerge.merged(
            entries.compactMap { CaptureDevice($0, identity: identity) } + server.devices, identity: identity)
    }

    @Test func `equal cameras, and the colour and infrared halves of one, have ids of their own`() throws {
        let identity = try makeSysfs([
            ("video0", "1-1:1.0", 0), ("video2", "1-1:1.2", 0), ("video4", "1-2:1.0", 0), ("video6", "vivid.0", 0),
            ("video7", "vivid.0", 0),
        ])
        defer { try? FileManager.default.removeItem(atPath: identity.sysfs) }
        let devices = list(
            [
                try v4l2("Camera", "/dev/video4", "usb-0000:00:14.0-2"),
                try v4l2("Camera", "/dev/video0", "usb-0000:00:14.0-1"),
                try v4l2("Camera", "/dev/video2", "usb-0000:00:14.0-1", caps: "video/x-raw,format=GRAY8"),
                try v4l2("vivid", "/dev/video6", "platform:vivid-000"),
                try v4l2("vivid", "/dev/video7", "platform:vivid-001"),
            ], identity)
        #expect(
            devices.map(\.id) == [
                "usb-0000:00:14.0-1:1.0-video-index0", "usb-0000:00:14.0-2:1.0-video-index0",
                "platform:vivid-000-video-index0", "platform:vivid-001-video-index0",
                // Infrared comes last, and is never the default.
                "usb-0000:00:14.0-1:1.2-video-index0",
            ])
        #expect(devices.map(\.isDefault) == [true, false, false, false, false])
        #expect(devices.last?.isInfrared == true)
    }

    @Test func `ids differ even where the kernel says nothing`() throws {
        let devices = list([try v4l2("A", "/dev/video0", "usb"), try v4l2("A", "/dev/video1", "usb")])
        #expect(devices.map(\.id) == ["usb-video-index0", "usb-video-index0-2"])
    }

    @Test func `a camera that V4L2, PipeWire and libcamera report is listed once, through V4L2`() throws {
        let identity = try makeSysfs([("video0", "1-7:1.0", 0)])
        defer { try? FileManager.default.removeItem(atPath: identity.sysfs) }
        let caps = try Caps("video/x-raw,format=NV12,width=640,height=480,framerate=30/1").structures
        func pipeWire(_ node: String, _ properties: [String: FieldValue]) -> ProviderEntry {
            ProviderEntry(
                backend: .pipewire, name: node, deviceClass: "Video/Source",
                properties: properties.merging(["node.name": .string(node)]) { a, _ in a }, caps: caps)
        }
        let devices = list(
            [
                pipeWire("v4l2_input.0", ["api.v4l2.path": .string("/dev/video0")]),
                pipeWire("v4l2_input.old", ["object.path": .string("v4l2:/dev/video0")]),
                pipeWire("v4l2_input.9", ["api.v4l2.path": .string("/dev/video9")]), pipeWire("bunny", [:]),
                ProviderEntry(
                    backend: .libcamera, name: #"\_SB_.PCI0.XHC_.RHUB.HS07-7:1.0-046d:0825"#,
                    deviceClass: "Source/Video", caps: caps),
                ProviderEntry(
                    backend: .libcamera, name: "/base/soc/i2c0mux/i2c@1/imx219@10", deviceClass: "Source/Video",
                    caps: caps),
                try v4l2("HD Webcam", "/dev/video0", "usb-0000:00:14.0-7"),
                // The sensor's own node has bare sensor data only.
                try v4l2("unicam", "/dev/video1", "platform:fe801000.csi", caps: "video/x-bayer,format=rggb"),
            ], identity)
        #expect(
            devices.map(\.id) == [
                "usb-0000:00:14.0-7:1.0-video-index0", "/base/soc/i2c0mux/i2c@1/imx219@10", "bunny", "v4l2_input.9",
            ])
    }

    @Test func `loudspeakers are no microphones, their monitors stand behind those, and PipeWire's are listed once`() {
        func pipeWire(_ node: String, _ name: String, _ deviceClass: String) -> ProviderEntry {
            ProviderEntry(
                backend: .pipewire, name: name, deviceClass: deviceClass, properties: ["node.name": .string(node)])
        }
        let devices = list(
            [
                pipeWire("speaker0", "Loop", "Audio/Sink"), pipeWire("mic0", "First", "Audio/Source/Virtual"),
                pipeWire("speaker0.monitor", "Monitor of Loop", "Audio/Source"),
                pipeWire("mic2", "Third", "Audio/Source"),
            ],
            server: server(
                source("speaker0.monitor", "Monitor of Loop", isMonitor: true), source("mic1", "Second"),
                source("mic0", "First", channels: 1), default: "speaker0.monitor"))
        #expect(devices.map(\.id) == ["mic2", "mic0", "mic1", "speaker0.monitor"])
        #expect(devices.map(\.backend) == [.pipewire, .pulseaudio, .pulseaudio, .pulseaudio])
        #expect(devices.map(\.kind) == [.microphone, .microphone, .microphone, .monitor])
        #expect(devices[1].channels == 1)
        #expect(devices.filter(\.isDefault).map(\.kind) == [.microphone, .monitor])
    }

    @Test func `the server's default is the default`() {
        let devices = list(server: server(source("a", "A"), source("b", "B"), default: "b"))
        #expect(devices.map(\.isDefault) == [false, true])
    }

    @Test func `a change is told by what the whole list says`() throws {
        let old = list(server: server(source("a", "A"), source("b", "B")))
        let new = list(server: server(source("b", "B"), source("c", "C")))
        #expect(
            DeviceDiscovery.Change.between(old, new) == [.removed(old[0]), .changed(new[0]), .added(new[1])],
            "b has become the default")
        #expect(DeviceDiscovery.Change.between(old, old).isEmpty)
    }
}

/// One list of devices out of what all providers report: each device once, in a lasting order.
enum DeviceMerge {
    /// - Parameter found: what each provider reports, in any order.
    static func merged(_ found: [CaptureDevice], identity: DeviceIdentity = DeviceIdentity()) -> [CaptureDevice] {
        let v4l2Paths = Set(found.filter { $0.backend == .v4l2 }.compactMap(\.path))
        let usbPorts = Set(v4l2Paths.compactMap { identity.usbPort(path: $0) })
        let pulseNames = Set(found.filter { $0.backend == .pulseaudio }.map(\.address))
        let devices = found.filter { device in
            switch (device.kind, device.backend) {
            case (.camera, .pipewire):
                // V4L2 stamps frames in the driver and says when one is lost; PipeWire does neither.
                return !(device.path.map(v4l2Paths.contains) ?? false)
            case (.camera, .libcamera):
                // A USB camera is better through V4L2, which has its compressed modes too. A bare sensor's V4L2 node
                // has no frames and is not listed, so that the sensor stays here.
                return !usbPorts.contains { device.id.contains("-\($0)-") }
            case (.microphone, .pipewire):
                // pipewiresrc's audio has no usable times (0.3.65); through the PulseAudio protocol it has.
                return !pulseNames.contains(device.address)
            default: return true
            }
        }
        return withDefaults(withUniqueIDs(devices.sorted(by: comesFirst)))
    }

    /// Cameras, then microphones, then monitors; by backend, then as their device files are numbered, then by name.
    private static func comesFirst(_ left: CaptureDevice, _ right: CaptureDevice) -> Bool {
        func key(_ device: CaptureDevice) -> [Int] {
            [
                CaptureDevice.Kind.allCases.firstIndex(of: device.kind) ?? 0, device.isInfrared ? 1 : 0,
                CaptureDevice.Backend.allCases.firstIndex(of: device.backend) ?? 0,
                device.path?.drop { !$0.isASCIIDigit }.isEmpty == false
                    ? Int(device.path?.drop { !$0.isASCIIDigit } ?? "") ?? 0 : 0,
            ]
        }
        let (leftKey, rightKey) = (key(left), key(right))
        if leftKey != rightKey { return leftKey.lexicographicallyPrecedes(rightKey) }
        return (left.name, left.id) < (right.name, right.id)
    }

    /// Two devices of one kind must never share an id, whatever their drivers say.
    private static func withUniqueIDs(_ devices: [CaptureDevice]) -> [CaptureDevice] {
        var seen: [String: Int] = [:]
        return devices.map { device in
            let key = "\(device.kind) \(device.id)"
            seen[key, default: 0] += 1
            guard let count = seen[key], count > 1 else { return device }
            var device = device
            device.id += "-\(count)"
            return device
        }
    }

    /// One default of each kind: the server's own, else the first. Infrared cameras and test sources never are.
    private static func withDefaults(_ devices: [CaptureDevice]) -> [CaptureDevice] {
        var devices = devices
        for kind in CaptureDevice.Kind.allCases {
            let places = devices.indices.filter {
                devices[$0].kind == kind && devices[$0].backend != .test && !devices[$0].isInfrared
            }
            let chosen = places.first { devices[$0].isDefault } ?? places.first
            for place in places { devices[place].isDefault = place == chosen }
        }
        return devices
    }
}

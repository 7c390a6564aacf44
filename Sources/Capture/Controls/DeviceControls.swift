/// What can be set of each device.
package struct DeviceControls: Sendable {
    /// Of cameras, by their identifiers; nothing of one that has none, or whose controls may not be read.
    package private(set) var cameras: [String: [DeviceControl]] = [:]
    /// Of microphones, by their identifiers.
    package let volumes: [String: MicrophoneVolume]

    /// Asks the drivers of all cameras at once, in a few seconds at most.
    package init(of devices: [CaptureDevice]) async {
        volumes = AudioServerWatch.shared.volumes
        await withTaskGroup(of: (String, [DeviceControl]).self) { group in
            for device in devices where device.kind == .camera {
                guard let path = device.path else { continue }
                group.addTask { (device.id, await CameraControls.controls(at: path)) }
            }
            for await (id, controls) in group { cameras[id] = controls }
        }
    }
}

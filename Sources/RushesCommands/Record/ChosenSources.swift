import Rushes

/// The camera and the microphone that the command line means.
struct ChosenSources {
    let camera: VideoSource?
    let microphone: AudioSource?

    /// Looks for devices only where a name or the default has to be found among them.
    ///
    /// - Throws: ``CaptureError`` with the cure if a device is not there or not meant unambiguously.
    init(camera: String, microphone: String) async throws {
        let frame = try SourceSelection(camera, for: .camera)
        let audio = try SourceSelection(microphone, for: .microphone)
        let devices =
            frame.needsDevices || audio.needsDevices
            ? await DeviceDiscovery(includesTestSources: false).devices() : []
        self.camera = try frame.videoSource(among: devices)
        self.microphone = try audio.audioSource(among: devices)
    }
}

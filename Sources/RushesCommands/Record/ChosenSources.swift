import Rushes

/// The camera and the microphone that the command line means.
struct ChosenSources {
    let camera: VideoSource?
    let microphone: AudioSource?

    /// Looks for devices only where a name or the default has to be found among them.
    ///
    /// - Throws: ``CaptureError`` with the cure if a device is not there or not meant unambiguously.
    init(camera: String, microphone: String) async throws {
        let picture = try SourceSelection(camera, for: .camera)
        let sound = try SourceSelection(microphone, for: .microphone)
        let devices =
            picture.needsDevices || sound.needsDevices
            ? await DeviceDiscovery(includesTestSources: false).devices() : []
        self.camera = try picture.videoSource(among: devices)
        self.microphone = try sound.audioSource(among: devices)
    }
}

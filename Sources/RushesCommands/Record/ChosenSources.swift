import Rushes

/// The cameras and the microphone that the command line means.
struct ChosenSources {
    /// The main one first.
    let cameras: [VideoSource]
    let microphone: AudioSource?

    /// Looks for devices only where a name or the default has to be found among them.
    ///
    /// - Throws: ``RushesError`` with the cure if a device is not there or not meant unambiguously.
    init(cameras: [String], microphone: String) async throws {
        let video = try cameras.map { try SourceSelection($0, for: .camera) }
        let audio = try SourceSelection(microphone, for: .microphone)
        func find() async -> [CaptureDevice] {
            guard video.contains(where: \.needsDevices) || audio.needsDevices else { return [] }
            return await DeviceDiscovery(includesTestSources: false).devices()
        }
        func choose(_ devices: [CaptureDevice]) throws -> ([VideoSource], AudioSource?) {
            (try video.compactMap { try $0.videoSource(among: devices) }, try audio.audioSource(among: devices))
        }
        let devices = await find()
        let chosen: ([VideoSource], AudioSource?)
        do {
            chosen = try choose(devices)
        } catch {
            // On a machine that has just started, or is very busy, drivers and servers may not have answered in time.
            let later = await find()
            guard later != devices else { throw error }
            chosen = try choose(later)
        }
        (self.cameras, self.microphone) = chosen
    }
}

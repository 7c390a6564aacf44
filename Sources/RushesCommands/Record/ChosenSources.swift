import Capture
import Rushes

/// The cameras and microphones that the command line means.
struct ChosenSources {
    /// The main one first.
    let cameras: [VideoSource]
    /// The main one first.
    let microphones: [AudioSource]

    /// Looks for devices only where a name or the default has to be found among them.
    ///
    /// - Throws: ``RushesError`` with the cure if a device is not there or not meant unambiguously.
    init(cameras: [String], microphones: [String] = []) async throws {
        let video = try cameras.map { try SourceSelection($0, for: .camera) }
        let audio = try microphones.map { try SourceSelection($0, for: .microphone) }
        func find() async -> [CaptureDevice] {
            guard (video + audio).contains(where: \.needsDevices) else { return [] }
            return await DeviceDiscovery(includesTestSources: false).devices()
        }
        func choose(_ devices: [CaptureDevice]) throws -> ([VideoSource], [AudioSource]) {
            (
                try video.compactMap { try $0.videoSource(among: devices) },
                try audio.compactMap { try $0.audioSource(among: devices) }
            )
        }
        let devices = await find()
        let chosen: ([VideoSource], [AudioSource])
        do {
            chosen = try choose(devices)
        } catch {
            // On a machine that has just started, or is very busy, drivers and servers may not have answered in time.
            let later = await find()
            guard later != devices else { throw error }
            chosen = try choose(later)
        }
        (self.cameras, self.microphones) = chosen
    }
}

extension MicrophoneArgument {
    /// The plan of the source that it came to.
    ///
    /// - Throws: ``RushesError`` as the plan.
    func plan(_ source: AudioSource, _ options: AudioOptions) throws -> AudioSourcePlan {
        var plan = try AudioSourcePlan(source, channels: options.channels)
        plan.gain = gain ?? options.gain.value
        plan.isMuted = isMuted || options.mute
        return plan
    }
}

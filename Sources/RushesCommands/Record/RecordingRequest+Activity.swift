import Capture
import Foundation
import LiveActivity
import Rushes

extension RecordingRequest {
    /// - Parameter output: the movie's path, for other processes.
    func attributes(output: String) -> ActivityAttributes {
        ActivityAttributes(
            title: settings.metadata.title ?? destination.path.lastComponent.map { "\($0)" } ?? "Recording",
            output: output,
            inputs: cameras.map(\.name) + microphones.map(\.name))
    }

    /// What may be asked of its activity.
    ///
    /// - Parameter isWaiting: whether it waits for its start.
    func controls(isWaiting: Bool) -> Set<ActivityControl> {
        let keepsMarks = (try? destination.container().keepsMarks) == true
        var controls: Set<ActivityControl> = isWaiting ? [.start, .stop] : [.stop, .pause, .resume, .split]
        if keepsHistory { controls.insert(.save) }
        if camera != nil { controls.insert(.snapshot) }
        if keepsMarks, !isWaiting { controls.insert(.mark) }
        if eachCamera != nil { controls.remove(.split) }
        if limits.maxKeptFileSize != nil, !isWaiting { controls.insert(.pin) }
        if maySwitch { controls.insert(.switchCamera) }
        if camera != nil { controls.insert(.set) }
        if !microphones.isEmpty { controls.formUnion([.mute, .unmute]) }
        if cameras.count > 1 { controls.formUnion([.layout, .swap, .show]) }
        return controls
    }
}

extension AudioSourcePlan {
    /// What is recorded of it, and how loud, for people.
    func words(volume: MicrophoneVolume?) -> String {
        let amplified = gain == 0 ? nil : "gain \(gain > 0 ? "+" : "")\(gain.formatted()) dB"
        return [summary, volume.map { "volume \($0.words)" }, amplified].compactMap(\.self).joined(separator: ", ")
    }
}

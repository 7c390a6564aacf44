import ArgumentParser
import Imaging
import Rushes

/// What a recording begins for by itself: "motion", "motion,sensitivity=70,x=0%,y=50%,width=100%,height=50%", "sound=-30dB".
struct TriggerArgument: ExpressibleByArgument, Sendable, Equatable {
    let trigger: RecordingTrigger

    /// - Returns: `nil` for another text, a sensitivity that is not from 0 to 100, and a loudness that is not from -90 to 0 dB.
    init?(argument: String) {
        if argument.hasPrefix("sound=") {
            guard let level = Decibels(argument: String(argument.dropFirst("sound=".count))),
                (-90...0).contains(level.value)
            else { return nil }
            trigger = .sound(decibels: level.value)
            return
        }
        var parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.first == "motion" else { return nil }
        parts.removeFirst()
        var sensitivity = 50.0
        if let place = parts.firstIndex(where: { $0.hasPrefix("sensitivity=") }) {
            guard let value = Double(parts.remove(at: place).dropFirst("sensitivity=".count)), (0...100).contains(value)
            else { return nil }
            sensitivity = value
        }
        var area = FrameArea.whole
        if !parts.isEmpty {
            guard let region = FrameRegionArgument(argument: parts.joined(separator: ",")) else { return nil }
            area = region.area
        }
        trigger = .motion(sensitivity: sensitivity / 100, area: area)
    }
}

extension [RecordingTrigger] {
    /// For people, at the beginning of a sentence; `nil` for none.
    var words: String? {
        let all = Set(map { if case .motion = $0 { "motion" } else { "sound" } }).sorted().joined(separator: " or ")
        return all.isEmpty ? nil : all.prefix(1).uppercased() + all.dropFirst()
    }
}

import ArgumentParser
import Capture

/// Where video and audio come from.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            An id or part of a name that 'rushes devices' shows, default, none, test, or gst:DESCRIPTION; append \
            ,rotate=90 (clockwise) or ,mirror (applied first) for how it is mounted, ,size=640x480 or ,rate=15 for how it is opened.
            """,
            valueName: "camera"))
    var camera: String = "default"

    @Option(
        help: ArgumentHelp(
            "The same for the audio; speakers is what the default loudspeaker plays. May be repeated: each gets a track of its own, with its name. Append ,gain=-6 (decibels) or ,mute for how loud that one is recorded.",
            valueName: "microphone"))
    var microphone: [String] = []

    @Option(
        help: ArgumentHelp(
            "Sets a control of the main camera while it records, such as zoom=2, which every camera has, or exposure=10ms; may be repeated. 'rushes devices --controls' lists the others.",
            valueName: "control=value"))
    var set: [String] = []

    /// - Throws: `ValidationError` for what is no control and value.
    func controls() throws -> [DeviceControlRequest] {
        guard !set.isEmpty else { return [] }
        do { return try DeviceControlRequest.requests(set.joined(separator: " ")) } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The microphones that are meant, the main one first.
    ///
    /// - Throws: a `ValidationError` for what is none.
    func microphones() throws -> [MicrophoneArgument] { try MicrophoneArgument.all(microphone) }

    func validate() throws {
        _ = try controls()
        _ = try microphones()
    }
}

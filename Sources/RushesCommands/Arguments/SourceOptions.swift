import ArgumentParser
import Capture

/// Where video and audio come from.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            An id or part of a name that 'rushes devices' shows, default, none, test, or gst:DESCRIPTION; behind it, \
            ,rotate=90 (clockwise) and ,mirror, mirrored first, say how it hangs, ,size=640x480 and ,rate=15 how it is opened.
            """,
            valueName: "camera"))
    var camera: String = "default"

    @Option(
        help: ArgumentHelp(
            "The same for the audio; speakers is what the default loudspeaker plays.", valueName: "microphone"))
    var microphone: String = "default"

    @Option(
        help: ArgumentHelp(
            "Sets a control of the main camera while it records, such as exposure=10ms or power-line-frequency=50; may be repeated. 'rushes devices --controls' lists them.",
            valueName: "control=value"))
    var set: [String] = []

    /// - Throws: `ValidationError` for what is no control and value.
    func controls() throws -> [DeviceControlRequest] {
        guard !set.isEmpty else { return [] }
        do { return try DeviceControlRequest.requests(set.joined(separator: " ")) } catch {
            throw ValidationError("\(error)")
        }
    }

    func validate() throws { _ = try controls() }
}

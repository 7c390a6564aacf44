import ArgumentParser

/// Where picture and sound come from.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A camera: an id or part of a name as 'rushes devices' shows, default, none, test, or gst:DESCRIPTION.",
            valueName: "camera"))
    var camera: String = "default"

    @Option(
        help: ArgumentHelp(
            "A microphone: an id or part of a name, default, none, test, or gst:DESCRIPTION.", valueName: "microphone"))
    var microphone: String = "default"
}

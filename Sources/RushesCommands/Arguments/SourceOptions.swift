import ArgumentParser

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
            "The same for the audio.", valueName: "microphone"))
    var microphone: String = "default"
}

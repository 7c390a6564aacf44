import AnimatedImages
import ArgumentParser
import Foundation
import MediaFilters
import Rushes

/// `rushes encoders`: what can be written here.
struct EncodersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encoders",
        abstract: "List what can be written here: codecs, their encoders, and what to install for the others.",
        discussion: """
            The first encoder of a codec that works here is the one that is used. After it stand the speeds that --encoder-speed \
            chooses from, slowest first; some are for recordings or for files only.

            EXAMPLES
              rushes encoders                                   a table
              rushes encoders --json | jq -r 'select(.available) | .element'
            """)

    @Flag(help: "Print one JSON object per encoder and line.") var json = false

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let codecs = try EncoderTables(PipelineFiles.find()).encodableCodecs() + [Self.animation]
            if json {
                for codec in codecs { StandardStreams.printResult(try JSONText.line(codec)) }
            } else {
                for line in Self.table(codecs) { StandardStreams.printText(line, indent: 10) }
            }
        }
    }

    /// No element of GStreamer's, but a library that exports load.
    private static var animation: EncodableCodec {
        EncodableCodec(
            codec: "\(VideoCodec.gif)", element: "libavfilter", isAvailable: AnimationLibrary.isAvailable,
            package: FilterLibrary.package)
    }

    private static func table(_ codecs: [EncodableCodec]) -> [String] {
        let width = codecs.map(\.element.count).max() ?? 0
        return codecs.map { codec in
            let name = codec.codec.padding(toLength: 8, withPad: " ", startingAt: 0)
            let element = codec.element.padding(toLength: width, withPad: " ", startingAt: 0)
            let kind = codec.isHardware ? "hardware" : "software"
            // Hardware whose plugin is installed shows itself when its driver is there; installing does not help.
            let state =
                codec.isAvailable ? "yes" : codec.isHardware ? "not on this machine" : "install \(codec.package)"
            let speeds = codec.isAvailable && !codec.speeds.isEmpty ? "  \(codec.speeds.joined(separator: ", "))" : ""
            return "\(name)  \(element)  \(kind)  \(state)\(speeds)"
        }
    }
}

import ArgumentParser
import TestSupport
import Testing

@testable import RushesCommands

/// What people type who know other programs.
struct OtherOptionTests {
    @Test(arguments: [
        ("transcode", "--fps", "it is --rate here"), ("record", "--fps", "it is --rate here"),
        ("transcode", "--volume", "it is --audio-filter here: '--audio-filter volume=6dB'"),
        ("record", "--volume", "it is --gain here"), ("transcode", "--mute", "it is --audio here: '--audio none'"),
        ("transcode", "-an", "it is --audio here: '--audio none'"), ("transcode", "-ss", "it is --start here"),
        ("transcode", "-t", "it is --duration here"), ("transcode", "-to", "it is --end here"),
        ("transcode", "-c:v", "it is --codec here"), ("transcode", "-c:a", "it is --audio here"),
        ("transcode", "-b:v", "it is --bitrate here"), ("transcode", "-b:a", "it is --audio-bitrate here"),
        ("transcode", "--reverse", "it is --video-filter here: '--video-filter reverse --audio-filter areverse'"),
        ("transcode", "-crf", "it is --quality here, from 0 to 100; higher is better"),
        ("transcode", "-vn", "name the file .m4a, .mp3, .opus, .wav or .flac for the audio alone"),
        ("transcode", "--two-pass", "it is --target-size here, which encodes in two passes"),
    ]) func `is told what it is here`(command: String, name: String, cure: String) {
        #expect(OtherOption(name, in: [command, "a.mov", name])?.cure == cure)
    }

    @Test func `what nobody calls so is not known, nor what the command has not`() {
        #expect(OtherOption("--wobble", in: ["transcode"]) == nil)
        #expect(OtherOption("--volume", in: ["info"]) == nil)
    }

    @Test func `each choice has an option of some command`() {
        let help = RushesCommand.configuration.subcommands.map { RushesCommand.helpMessage(for: $0) }
        for option in Set(OtherOption.table.values.joined().compactMap(\.option)) {
            #expect(help.contains { $0.contains("\(option) ") || $0.contains("\(option)\n") }, "\(option)")
        }
    }

    @Test(arguments: [
        ("-", "'./-'"), ("https://a.org/b.mp4", "curl -O"), ("file:///home/me/a%20b.mov", "'/home/me/a b.mov'"),
        ("rtsp://cam/1", "gst:rtspsrc location=rtsp://cam/1"),
    ]) func `an address is no file`(argument: String, cure: String) {
        #expect(NoFile(argument)?.cure.contains(cure) == true)
        #expect(throws: (any Error).self) { try localPath(argument) }
    }

    @Test(arguments: ["a.mov", "./-", "-a.mov", "a:b.mov", "C:\\a.mov", "/a//b.mov"])
    func `a path is one`(argument: String) throws { #expect(try localPath(argument) == argument) }

    @Test func `usage breaks between options`() {
        let usage = "USAGE: rushes snapshot <file> [--at <time> ...] --output <file> [--overwrite]\n\nOPTIONS:"
        let lines = HelpText(usage, columns: 40).text.split(separator: "\n")
        #expect(
            lines == [
                "USAGE: rushes snapshot <file>", "  [--at <time> ...] --output <file>", "  [--overwrite]", "OPTIONS:",
            ], "\(lines)")
    }
}

import SystemPackage
import Foundation
import MediaTypes
import SystemPackage
import Testing

@testable import RushesCommands

/// The words for people.
struct SentenceTests {
    @Test(arguments: [
        ("frames of 1×1 are too small", "Frames of 1×1 are too small."),
        ("no camera was found; look again", "No camera was found; look again."),
        ("x265enc takes no frame below 64×64", "x265enc takes no frame below 64×64."),
        ("writing failed: the disk is full", "Writing failed: the disk is full."),
        ("take.mov already exists.", "take.mov already exists."), ("is it unplugged?", "is it unplugged?"),
        ("test:size=1: no such size", "test:size=1: no such size."), ("two\nlines\u{1b}[2J", "two\\nlines\\u{1b}[2J."),
    ]) func `a reason becomes a sentence, names stay as they are`(reason: String, sentence: String) {
        #expect(Sentence(reason).text == sentence)
    }

    @Test func `the argument parser's paragraph becomes a sentence with the cure`() {
        func text(_ message: String) -> String { UsageSentence(fullMessage: message).text }
        let usage = "Usage: rushes record [<options>] [<file>]\n  See 'rushes record --help' for more information."
        #expect(
            text("Error: Unknown option '--wobble'\n\(usage)")
                == "Unknown option '--wobble'; see 'rushes record --help'.")
        #expect(
            text("Error: Unknown option '--gian'. Did you mean '--gain'?\n\(usage)")
                == "Unknown option '--gian'; did you mean '--gain'?")
        #expect(
            text(
                "Error: The value 'x' is invalid for '--size <WxH>'\nHelp:  --size <WxH>  The frame's size, such as 1x1.\n\(usage)"
            )
                == "--size cannot be 'x'; it is WIDTHxHEIGHT with 1 to 65535 each, such as 1920x1080.")
        #expect(
            text(
                "Error: The value 'x' is invalid for '--codec <codec>'. Please provide one of the following:\n  - a\n  - b\n  - c\n\(usage)"
            )
                == "--codec cannot be 'x'; it is a, b or c.")
        #expect(
            text("Error: Unknown option '--foo'. Did you mean '--json'?\n\(usage)")
                == "Unknown option '--foo'; see 'rushes record --help'.")
        #expect(text("Error: --quality is a number from 0 to 100.\n\(usage)") == "--quality is a number from 0 to 100.")
    }

    @Test func `numbers are written as people read them`() {
        #expect(Words.clock(.zero) == "0:00.0")
        #expect(Words.clock(MediaTime(seconds: 59.96)) == "1:00.0")
        #expect(Words.clock(MediaTime(seconds: 3723.5)) == "1:02:03.5")
        #expect(Words.size(999) == "999 bytes")
        #expect(Words.size(895_600) == "896 kB")
        #expect(Words.size(12_340_000) == "12.3 MB")
        #expect(Words.count(1, "frame") == "1 frame" && Words.count(0, "shot") == "0 shots")
        #expect(Words.bitRate(2_500_000) == "2.5 Mbit/s")
        #expect(Words.bitRate(189_000) == "189 kbit/s")
        #expect(Words.number(29.970029) == "29.97")
        #expect(Words.number(30) == "30")
    }

    @Test func `a take without a name is named by the time in its place`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        let date = Date(timeIntervalSince1970: 1_795_266_202)
        #expect(DefaultName.path(at: date, timeZone: zone).string == "Movie 2026-11-21 at 14.03.22.mov")
    }
}

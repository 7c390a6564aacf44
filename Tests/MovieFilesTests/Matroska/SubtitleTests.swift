import Testing

@testable import MovieFiles

@Suite("Subtitles") struct SubtitleTests {
    private static func cue(_ times: Range<Int64>, _ text: String) -> SubtitleCue {
        SubtitleCue(times: times, text: text)
    }

    @Test("that overlap are shown together, one sample at a time")
    func overlapping() {
        let cues = [Self.cue(800..<1800, "Second"), Self.cue(200..<1400, "First")]
        #expect(
            cues.oneAtATime(maximumSize: 100) == [
                Self.cue(200..<800, "First"), Self.cue(800..<1400, "First\nSecond"), Self.cue(1400..<1800, "Second"),
            ])
        // One that is there twice is shown once.
        let twice = [Self.cue(0..<100, "A"), Self.cue(50..<150, "A")]
        #expect(twice.oneAtATime(maximumSize: 100) == [Self.cue(0..<150, "A")])
        #expect(cues.oneAtATime(maximumSize: 5) == nil)
        #expect([Self.cue(5..<5, "nothing"), Self.cue(5..<9, "")].oneAtATime(maximumSize: 100) == [])
    }

    @Test("of which all are shown to the end are refused where that would take minutes")
    func alwaysMore() {
        func cues(_ count: Int64) -> [SubtitleCue] { (0..<count).map { Self.cue($0..<1_000_000, "A") } }
        #expect(cues(10_000).oneAtATime(maximumSize: 1 << 20) == nil)
        #expect(cues(1000).oneAtATime(maximumSize: 1 << 20) == [Self.cue(0..<1_000_000, "A")])
    }

    @Test(
        "lose their looks, and no word",
        arguments: [
            ("S_TEXT/UTF8", "<i>One</i>, 1 < 2\r\ntwo\0", "One, 1 < 2\ntwo"),
            ("S_TEXT/ASS", #"0,0,Default,,0,0,0,,{\b1}One{\b0}, two\Nthree"#, "One, two\nthree"),
            ("S_TEXT/ASS", #"0,0,Default,,0,0,0,,{\p1}m 0 0 l 9 9{\p0}seen"#, "seen"),
            ("S_TEXT/SSA", "no event", ""),
            ("S_TEXT/WEBVTT", "<v Anna>One &amp; <00:00:01.500>two", "One & two"),
            ("D_WEBVTT/SUBTITLES", "id\nline:0\n<c.red>One</c>\ntwo", "One\ntwo"),
        ])
    func plain(_ codecID: String, _ frame: String, _ text: String) throws {
        let form = try #require(SubtitleText.Form(codecID: codecID))
        #expect(form.plain(Array(frame.utf8)) == text)
    }

    @Test("that are frames are not text")
    func frames() {
        for codecID in ["S_HDMV/PGS", "S_VOBSUB", "S_DVBSUB", "S_KATE"] {
            #expect(SubtitleText.Form(codecID: codecID) == nil)
        }
    }
}

import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

struct StyledTextTests {
    @Test(
        arguments: [
            ("a <i>b</i> c", "a <i>b</i> c", "a <i>b</i> c", "a {\\i1}b{\\i0} c"),
            ("<b>a <i>b</b> c</i>", "<b>a <i>b</i></b><i> c</i>", nil, "{\\b1}a {\\i1}b{\\b0} c"),
            ("{\\an8}a & {b}", "{\\an8}a & {b}", "a &amp; {b}", "{\\an8}a & \\{b\\}"),
            ("a < b > c", "a < b > c", "a &lt; b &gt; c", "a < b > c"),
            ("<font color=\"red\">a</font>", "a", "a", "a"),
            ("<s>a</s>", "<s>a</s>", "a", "{\\s1}a"),
        ] as [(String, String, String?, String)])
    func `SubRip's tags are those of other formats`(text: String, subRip: String, webVTT: String?, script: String) {
        let styled = StyledText(subRip: text)
        #expect(styled.subRip == subRip)
        #expect(styled.webVTT == webVTT ?? subRip)
        #expect(styled.script == script)
        #expect(styled.losesLooks == text.contains("font"))
    }

    @Test func `a script's overrides go on from its style`() {
        let styles = ScriptStyles("[V4+ Styles]\nFormat: Name, Fontname, Bold, Italic\nStyle: Slanted,Sans,0,-1\n")
        let text = StyledText(script: "{\\an7}a{\\i0}b{\\b700\\i}c{\\r\\p1}m 0 0{\\p0}d\\Ne", styles["Slanted"])
        #expect(text.subRip == "{\\an7}<i>a</i>b<b><i>c</i></b><i>d\ne</i>")
        #expect(text.webVTTSettings == " line:0 position:0% align:start")
        #expect(StyledText(script: "a", styles["Other"]).subRip == "a")
    }

    @Test func `WebVTT's entities and voices are no text`() {
        let text = StyledText(webVTT: "<v Ann>a &lt;i&gt;</v> <00:01.000><i.loud>b</i>", settings: "")
        #expect(text.subRip == "a <i> <i>b</i>")
        #expect(text.losesLooks)
    }

    @Test func `styles of timed text are told by character`() {
        let text = Array("Ä 😀 bc".utf8)
        let style: [UInt8] = [0, 4, 0, 5, 0, 1, 3, 18, 255, 255, 255, 255]
        let box: [UInt8] =
            [0, 0, 0, 34] + Array("styl".utf8) + [0, 2] + style + [0, 5, 0, 6, 0, 1, 4, 18, 0, 0, 0, 0]
        let sample = [0, UInt8(text.count)] + text + box
        #expect(String(decoding: TextSample.tagged(sample), as: UTF8.self) == "Ä 😀 <b><i>b</i></b><u>c</u>")
        // A box that is cut off says nothing.
        #expect(TextSample.tagged(sample.dropLast()) == text)
    }

    @Test(
        arguments: [
            (SubtitleFormat.subRip, "01:02:03,457"), (.webVTT, "01:02:03.457"), (.script, "1:02:03.46"),
        ])
    func `times are rounded`(format: SubtitleFormat, text: String) {
        #expect(format.time(3_723_456_789_000) == text)
    }

    @Test func `lines between texts end none, and what is no text is left out`() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.file("film.ass"))
        let script = """
            [Script Info]
            ScriptType: v4.00+
            [V4+ Styles]
            Format: Name
            Style: Default
            [Events]
            Format: Layer, Start, End, Style, Text
            Dialogue: 0,0:00:01.00,0:00:02.00,Default,a\\N\\Nb
            Dialogue: 0,0:00:02.00,0:00:03.00,Default,{\\p1}m 0 0 l 1 1
            """
        try Data(script.utf8).write(to: URL(filePath: path.string))
        let subtitles = try MovieSubtitles(try SubtitleFile(path, language: nil))
        let part = MovieSubtitles.Part([.init(origin: 500_000_000, end: nil)], delay: 0)
        let made = try subtitles.written(as: .subRip, part)
        #expect(String(decoding: made.bytes, as: UTF8.self) == "1\n00:00:00,500 --> 00:00:01,500\na\nb\n\n")
        #expect(made.count == 1)
    }
}

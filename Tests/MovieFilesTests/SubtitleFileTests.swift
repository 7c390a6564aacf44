import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

struct SubtitleFileTests {
    @Test(
        arguments: [
            ("film.de.srt", "de", []), ("film.pt-BR.forced.srt", "pt-BR", .forced),
            ("film.eng.SDH.vtt", "en", .hearingImpaired),
            ("film.srt", nil, []), ("talk.new.srt", nil, []), ("film.2019.srt", nil, []), ("de.srt", nil, []),
        ] as [(String, String?, TrackRoles)])
    func `names say the language`(name: String, language: String?, roles: TrackRoles) {
        let named = NamedSubtitles(FilePath("/films.fr/\(name)"))
        #expect(named.language?.tag == language)
        #expect(named.roles == roles)
    }

    @Test(arguments: [
        ("srt", "subrip", "1\n00:00:01,000 --> 00:00:02,500\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"),
        ("vtt", "webvtt", "WEBVTT\n\n00:01.000 --> 00:02.500\nOne\n\n00:03.000 --> 00:04.000\nTwo\n"),
    ])
    func `tells what it holds`(ending: String, codec: String, text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("film.de.\(ending)")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let file = try SubtitleFile(FilePath(path), language: nil)
        #expect(file.codec == codec && file.count == 2 && file.duration.seconds == 4 && file.language?.tag == "de")
        #expect(SubtitleFile.isOne(FilePath(path)) && !SubtitleFile.isOne("film.de.mkv"))
    }

    @Test func `a script's events are what Matroska has, whatever their order`() {
        let script = ScriptFile(
            """
            [Script Info]
            ScriptType: v4.00

            [Events]
            Format: Start, End, Marked, Actor, Text
            Dialogue: 0:00:02.00,0:00:03.50,Marked=0,Ann,Yes, and no
            Dialogue: 0:00:01.00,0:00:00.50,Marked=0,Ann,ends before it begins
            Dialogue: 0:00:01:00,0:00:01:50,Marked=0,Ben,First

            [Fonts]
            fontname: a.ttf
            """)
        #expect(script.isOld)
        #expect(script.unread == 1)
        #expect(
            script.header.hasSuffix(
                "[Fonts]\nfontname: a.ttf\n[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
            ))
        #expect(
            script.cues.map { String(decoding: $0.data, as: UTF8.self) }
                == ["1,Marked=0,,Ben,,,,,First", "0,Marked=0,,Ann,,,,,Yes, and no"])
        #expect(script.cues.map(\.begin) == [1_000_000_000, 2_000_000_000])
        #expect(script.cues.map(\.duration) == [500_000_000, 1_500_000_000])
    }

    @Test func `WebVTT keeps where its texts are shown`() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.file("film.en.vtt"))
        try Data(
            "WEBVTT\n\nSTYLE\n::cue {}\n\nname\n01:02.500 --> 01:03.000 line:0  align:start\nA\nB\n\n-01:04.000 --> 01:05.000\nC\n"
                .utf8
        )
        .write(to: URL(filePath: path.string))
        let file = try SubtitleFile(path, language: nil)
        #expect(file.cues.map { String(decoding: $0.data, as: UTF8.self) } == ["\nline:0 align:start\nA\nB"])
        #expect(file.omissions.map { $0.prefix { $0 != " " } } == ["The", "Left"], "\(file.omissions)")
    }
}

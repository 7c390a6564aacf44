import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("MovieMetadata")
struct MovieMetadataTests {
    static let metadata = MovieMetadata(
        title: "Rushes, déjà vu", description: "A take", keywords: ["day", "night"],
        creationDate: MovieDate("2026-11-21T14:03:22.125+0100"), make: "Örtlich", model: "Cam 2", software: "Rushes 1",
        location: "+48.8577+002.2950+035.000/")

    @Test("is what exiftool, mediainfo and ffprobe read", arguments: [Recording.h264, .hevc])
    func readByOthers(_ recording: Recording) async throws {
        let options = MovieFileWriter.Options(metadata: Self.metadata, audioPriming: recording.audioPriming)
        for finishing in [true, false] {
            let url = try await recording.written(options, finishing: finishing).url
            let told = try await Judge.exiftool(
                url, "Title", "Make", "Model", "Software", "Keys:CreationDate", "CreateDate", "GPSCoordinates")
            #expect(told["Title"] == "Rushes, déjà vu")
            #expect(told["Make"] == "Örtlich")
            #expect(told["Model"] == "Cam 2")
            #expect(told["Software"] == "Rushes 1")
            #expect(told["CreationDate"] == "2026:11:21 14:03:22.125+01:00")
            #expect(told["CreateDate"] == "2026:11:21 13:03:22")
            #expect(told["GPSCoordinates"]?.hasPrefix("48 deg 51' 27.72\" N, 2 deg 17' 42.00\" E") == true)
            let tags = try await #require(Judge.ffprobe(url).format.tags)
            #expect(tags["title"] == "Rushes, déjà vu")
            #expect(tags["com.apple.quicktime.make"] == "Örtlich")
            #expect(tags["com.apple.quicktime.location.ISO6709"] == "+48.8577+002.2950+035.000/")
            #expect(tags["location"] == "+48.8577+002.2950+035.000/")
            #expect(tags["creation_time"] == "2026-11-21T13:03:22.000000Z")
            #expect(try await Judge.mediainfo(url, "General", "Title") == "Rushes, déjà vu")
            #expect(try await Judge.mediainfo(url, "General", "Encoded_Date").contains("2026-11-21 13:03:22"))
            let info = try MovieInfo(contentsOf: FilePath(url.path))
            #expect(info.title == "Rushes, déjà vu")
            #expect(info.creationDate == "2026-11-21T14:03:22.125+0100")
            #expect(info.keywords == ["day", "night"])
            #expect(info.location == Self.metadata.location)
        }
    }

    @Test("is the same after it was written and read", arguments: [true, false])
    func roundTrip(isQuickTime: Bool) throws {
        var moov = Box("moov", children: [])
        try moov.write(Self.metadata, isQuickTime: isQuickTime)
        let read = try MovieMetadata(moov: Box(moov.serialized(), at: 0))
        #expect(read == Self.metadata)
    }

    @Test(
        "leaves no old text to any reader, in a file that was the other kind once", arguments: ["mov", "mp4"],
        ["", "New"])
    func otherKind(was: String, title: String) async throws {
        let url = Scratch.directory.unique(was == "mov" ? "mp4" : "mov")
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=64x64:duration=0.2 -c:v libx264 -pix_fmt yuv420p "
                + "-metadata title=Before -metadata comment=Secret -metadata artist=Somebody -f \(was) -y \(url.path)")
        var bytes = try Data(contentsOf: url)
        let brand = try #require(bytes.range(of: Data("ftyp".utf8))).upperBound
        bytes.replaceSubrange(brand..<brand + 4, with: Data((was == "mov" ? "isom" : "qt  ").utf8))
        try bytes.write(to: url)
        var metadata = MovieMetadata(title: title)
        // ffmpeg writes the comment as a description too.
        (metadata.comment, metadata.artist, metadata.description) = ("", "", "")
        try MovieEditing.setMetadata(metadata, ofMovieAt: FilePath(url.path))
        let wanted = title.isEmpty ? nil : title
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.title == wanted && info.comment == nil && info.artist == nil)
        let tags = try await Judge.ffprobe(url).format.tags ?? [:]
        #expect(tags["title"] == wanted && tags["comment"] == nil && tags["artist"] == nil, "\(tags)")
        let told = try await Judge.exiftool(url, "Title", "Comment", "Artist")
        #expect(told["Title"] == wanted && told["Comment"] == nil && told["Artist"] == nil, "\(told)")
        let all = try await Judge.told("exiftool", ["-a", "-G1", "-s"], url)
        #expect(!all.contains("Before") && !all.contains("Secret") && !all.contains("Somebody"), "\(all)")
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("that are damaged are none, and no reason to refuse a movie", arguments: [true, false])
    func damaged(isQuickTime: Bool) throws {
        var moov = Box("moov", children: [])
        try moov.write(Self.metadata, isQuickTime: isQuickTime)
        var bytes = try moov.serialized()
        let name = try #require(bytes.firstRange(of: "hdlr".utf8))
        // A box that claims more than there is.
        bytes[name.lowerBound - 2] = 0x7F
        #expect(try MovieMetadata(moov: try Box(bytes, at: 0)).artist == nil)
    }

    @Test("is what comes before the end of an older one, which editors leave behind it", arguments: [true, false])
    func spoilt(isQuickTime: Bool) throws {
        var moov = Box("moov", children: [])
        try moov.write(Self.metadata, isQuickTime: isQuickTime)
        func spoil(_ parent: inout Box) {
            guard var meta = parent["meta"] else { return }
            meta.payload += [0x31, 0x3F, 0x12, 0x57, 0x91, 0xF3, 0x46, 0x0A, 1, 2]
            parent.replaceOrAppend(meta)
        }
        spoil(&moov)
        if var udta = moov["udta"] {
            spoil(&udta)
            moov.replaceOrAppend(udta)
        }
        let spoilt = try moov.serialized()
        #expect(spoilt.firstRange(of: [0x91, 0xF3, 0x46]) != nil)
        #expect(try MovieMetadata(moov: try Box(spoilt, at: 0)).artist == Self.metadata.artist)
    }

    @Test("takes for a comment what a camera says of itself, where there is no other") func information() throws {
        func comment(_ texts: [(FourCC, String)]) throws -> String? {
            let boxes = try texts.map { try UserDataText.box($0.0, text: $0.1) }
            return try MovieMetadata(moov: Box("moov", children: [Box("udta", children: boxes)])).comment
        }
        #expect(try comment([("©inf", "Digital camera")]) == "Digital camera")
        #expect(try comment([("©inf", "Digital camera"), ("©cmt", "Paris")]) == "Paris")
    }

    @Test("takes the author for the artist, where there is no other") func author() throws {
        func artist(_ texts: [(FourCC, String)]) throws -> String? {
            let boxes = try texts.map { try UserDataText.box($0.0, text: $0.1) }
            return try MovieMetadata(moov: Box("moov", children: [Box("udta", children: boxes)])).artist
        }
        #expect(try artist([("©aut", "Ada")]) == "Ada")
        #expect(try artist([("©aut", "Ada"), ("©ART", "Grace")]) == "Grace")
    }

    @Test("keeps what it does not know, and what it is not told to change", arguments: [true, false])
    func keepsOthers(isQuickTime: Bool) throws {
        var moov = Box("moov", children: [])
        try moov.write(Self.metadata, isQuickTime: isQuickTime)
        let meta = try #require(moov["meta"])
        var keys = try #require(try KeyedMetadata(meta))
        try keys.set("org.example.mood", to: "good")
        moov.replaceOrAppend(try keys.box())
        try moov.write(MovieMetadata(title: "Other"), isQuickTime: isQuickTime)
        let again = try Box(moov.serialized(), at: 0)
        var expected = Self.metadata
        expected.title = "Other"
        expected.others = [.init(name: "org.example.mood", text: "good")]
        #expect(try MovieMetadata(moov: again) == expected)
        let changed = try #require(again["meta"])
        #expect(try KeyedMetadata(changed)?["org.example.mood"] == "good")
    }
}

@Suite("MovieDate")
struct MovieDateTests {
    @Test(
        "is read from ISO 8601 and written as Apple's cameras do",
        arguments: [
            ("2026-11-21T14:03:22.125+0100", "2026-11-21T14:03:22.125+0100"),
            ("2026-11-21T14:03:22+01:00", "2026-11-21T14:03:22+0100"),
            ("2026-11-21 14:03:22Z", "2026-11-21T14:03:22Z"), ("2024-02-29", "2024-02-29"), ("2019", "2019"),
            ("202405", "2024-05"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
            ("2000-03-01T00:30:00-03:30", "2000-03-01T00:30:00-0330"),
        ])
    func roundTrip(_ text: String, _ written: String) {
        #expect(MovieDate(text)?.description == written)
    }

    @Test("agrees with Foundation's calendar on days across four hundred years")
    func days() throws {
        let formatter = ISO8601DateFormatter()
        for day in stride(from: -30_000, through: 120_000, by: 37) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 12_345)
            #expect(MovieDate(date).description == formatter.string(from: date))
            #expect(MovieDate(formatter.string(from: date))?.date == date)
        }
    }

    @Test("is nothing that is not a date", arguments: ["", "yesterday", "2026-13-01", "2026-11-21T25:00:00Z"])
    func nonsense(_ text: String) {
        #expect(MovieDate(text) == nil)
    }

    @Test("counted from 1970, as some programs do, is no date of before there were movie files")
    func countedFrom1970() {
        #expect(MovieDate(secondsSince1904: 1_234_264_540)?.description == "2009-02-10T11:15:40Z")
        #expect(MovieDate(secondsSince1904: 2_082_844_800 + 1_234_264_540)?.description == "2009-02-10T11:15:40Z")
    }

    @Test("beyond any calendar does not crash", arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func beyondCalendars(_ seconds: Double) {
        let date = MovieDate(Date(timeIntervalSince1970: seconds), secondsFromGMT: .max)
        #expect(!date.description.isEmpty)
        #expect(date.secondsSince1904 < 1 << 40)
        #expect(MovieDate(secondsSince1904: .max) == nil)
    }
}

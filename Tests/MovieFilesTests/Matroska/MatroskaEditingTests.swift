import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("Editing a finished Matroska file")
struct MatroskaEditingTests {
    private static let change = MovieChange(
        metadata: {
            var metadata = MovieMetadata(title: "Größer", make: "Acme")
            metadata.comment = "A remark"
            metadata.creationDate = MovieDate("2026-11-21T13:03:22Z")
            return metadata
        }(),
        chapters: [
            .init(start: .zero, title: "Début"), .init(start: MediaTime(seconds: 1.25), title: "Middle"),
        ])

    @Test(
        "changes what others read, and no packet",
        arguments: [MatroskaInput.told, .web, .text, .onlyAudio, .deep, .live])
    func others(_ input: MatroskaInput) async throws {
        let url = try await Self.copy(input)
        let before = try await Judge.allPackets(url)
        try MovieEditing.apply(Self.change, toMovieAt: FilePath(url.path))
        let probe = try await Judge.ffprobe(url)
        #expect(probe.format.tags?["title"] == "Größer")
        #expect(probe.format.tags?["COMMENT"] ?? probe.format.tags?["comment"] == "A remark")
        #expect(probe.format.tags?["creation_time"]?.hasPrefix("2026-11-21T13:03:22") == true)
        #expect(probe.chapters?.map { $0.tags?["title"] } == ["Début", "Middle"])
        #expect(probe.chapters?.map { Double($0.start_time) } == [0, 1.25])
        let told = try await Tool.succeed("mediainfo", [url.path]).text
        for text in ["Größer", "A remark", "Middle"] { #expect(told.contains(text), "\(text): \(told)") }
        let info = try #require(try MovieInfo(readingMatroska: FilePath(url.path)))
        #expect(info.title == "Größer" && info.comment == "A remark" && info.make == "Acme" && info.complete)
        #expect(info.chapters == Self.change.chapters)
        let after = try await Judge.allPackets(url)
        #expect(after.map { $0.map(\.data_hash) } == before.map { $0.map(\.data_hash) })
        #expect(after.map { $0.map(\.presentation) } == before.map { $0.map(\.presentation) })
        // To mediainfo, what does not say how long it is looks cut off.
        if input.description == MatroskaInput.live.description { return try await Judge.decodesWithoutAWord(url) }
        try await Judge.opensWithoutAWord(url)
    }

    @Test("removes what is given as an empty text, and leaves all else")
    func removal() async throws {
        let url = try await Self.copy(.told)
        var metadata = MovieMetadata(title: "")
        metadata.comment = ""
        try MovieEditing.apply(MovieChange(metadata: metadata, chapters: []), toMovieAt: FilePath(url.path))
        let probe = try await Judge.ffprobe(url)
        #expect(probe.format.tags?["title"] == nil && probe.format.tags?["COMMENT"] == nil)
        #expect(probe.format.tags?["LOCATION"] == "+48.8577+002.2950/")
        #expect(probe.format.tags?["creation_time"]?.hasPrefix("2026-11-21T13:03:22") == true)
        #expect(probe.chapters?.isEmpty != false)
    }

    @Test("changes the title where tags tell it too, and leaves that of what it is a part of")
    func levels() async throws {
        let url = try await Self.copy(.onlyAudio)
        func tags(_ level: UInt64, _ title: String) -> [UInt8] {
            var writer = EBMLWriter()
            writer.master(.tag) { tag in
                tag.master(.targets) { $0.unsigned(.targetTypeValue, level) }
                tag.master(.simpleTag) { simple in
                    simple.text(.tagName, "TITLE")
                    simple.text(.tagString, title)
                }
            }
            return writer.bytes
        }
        try ReadableFile.open(FilePath(url.path), .readWrite) { (file) throws(MovieFileError) in
            let original = try FinishedMatroska(file, mayBeWebM: true)
            let target = DescriptorFile(descriptor: file.descriptor)
            let new = [ElementID.tags: tags(50, "Album") + tags(30, "Song")]
            try MatroskaReplacement(new, of: original, in: target)?.write()
        }
        try MovieEditing.setMetadata(MovieMetadata(title: "Other song"), ofMovieAt: FilePath(url.path))
        let info = try MovieInfo(readingMatroska: FilePath(url.path))
        #expect(info?.title == "Other song" && info?.album == "Album")
        let titles = try await Judge.ffprobe(url).format.tags?.filter { $0.key.lowercased() == "title" }.values
        #expect(titles.map(Array.init) == ["Other song"])
    }

    @Test("changes what tracks say of themselves", arguments: [MatroskaInput.told, .audioTracks])
    func tracks(_ input: MatroskaInput) async throws {
        let url = try await Self.copy(input)
        var (first, second) = (TrackChange(.audio, 1), TrackChange(.audio, 2))
        (first.title, first.isDefault) = ("Ton, laut", true)
        first.language = TrackChange.Language("gsw-CH")
        (second.title, second.language) = ("", .unknown)
        try MovieEditing.apply(MovieChange(tracks: [first, second]), toMovieAt: FilePath(url.path))
        let told = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "a", "-show_entries",
                "stream_tags=language,title:stream_disposition=default", "-of", "compact=p=0:nk=0", url.path,
            ]
        ).text.split(separator: "\n")
        #expect(told.first == "disposition:default=1|tag:language=gsw|tag:title=Ton, laut", "\(told)")
        #expect(told.dropFirst().first == "disposition:default=0", "\(told)")
        let tracks = try ChoosableTracks(of: FilePath(url.path)).audio
        #expect(tracks[0].attributes.language?.tag == "gsw-CH")
        #expect(tracks.dropFirst().allSatisfy { $0.attributes.isDefault == false })
        #expect(throws: RushesError.self) {
            try MovieEditing.apply(MovieChange(tracks: [TrackChange(.subtitle, 1)]), toMovieAt: FilePath(url.path))
        }
    }

    @Test("needs room once, and then neither grows nor is written anew", arguments: [MatroskaInput.told, .web])
    func again(_ input: MatroskaInput) async throws {
        let url = try await Self.copy(input)
        let long = String(repeating: "long ", count: 100)
        var (sizes, numbers): ([Int], [UInt64]) = ([], [])
        for title in [long, "short", long, "short", long] {
            try MovieEditing.setMetadata(MovieMetadata(title: title), ofMovieAt: FilePath(url.path))
            #expect(try await Judge.ffprobe(url).format.tags?["title"] == title)
            try await Judge.opensWithoutAWord(url)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            sizes.append(attributes[.size] as? Int ?? 0)
            numbers.append((attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0)
        }
        #expect(Set(sizes).count == 1, "\(sizes)")
        #expect(Set(numbers).count == 1, "\(numbers)")
    }

    @Test("plays whichever step of it fails")
    func everyStep() async throws {
        var completed = false
        for steps in 0...20 where !completed {
            let url = try await Self.copy(.told)
            // There is room from now on.
            try MovieEditing.setMetadata(
                MovieMetadata(title: String(repeating: "t", count: 2000)), ofMovieAt: FilePath(url.path))
            let descriptor = try FileDescriptor.open(FilePath(url.path), .readWrite)
            defer { try? descriptor.close() }
            let file = FaultyFile(descriptor)
            file.steps = steps
            let before = try await Judge.allPackets(url)
            do throws(MovieFileError) {
                try MovieEditing.applyToMatroska(
                    Self.change, FilePath(url.path), try ReadableFile(descriptor), writingTo: file)
                completed = true
            } catch {
                #expect(steps < 20)
            }
            try await Judge.decodesWithoutAWord(
                url, "after step \(steps)", excused: "File extends beyond end of segment.")
            let after = try await Judge.allPackets(url)
            #expect(after.map { $0.map(\.data_hash) } == before.map { $0.map(\.data_hash) }, "after step \(steps)")
            let title = try MovieInfo(readingMatroska: FilePath(url.path))?.title
            #expect(title == "Größer" || !completed && title?.hasPrefix("tt") == true, "after step \(steps)")
        }
        #expect(completed)
    }

    @Test("refuses a chapter behind the end")
    func lateChapter() async throws {
        let url = try await Self.copy(.told)
        let before = try Data(contentsOf: url)
        var change = Self.change
        change.chapters = [.init(start: MediaTime(seconds: 60), title: "Late")]
        #expect(throws: RushesError.self) { try MovieEditing.apply(change, toMovieAt: FilePath(url.path)) }
        #expect(try Data(contentsOf: url) == before)
    }

    private static func copy(_ input: MatroskaInput) async throws -> URL {
        let url = Scratch.directory.unique(input.ending)
        try FileManager.default.copyItem(at: try await input.url(), to: url)
        return url
    }
}

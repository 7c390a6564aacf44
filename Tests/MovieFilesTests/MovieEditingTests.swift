import Errors
import FileSystem
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("Editing a finished movie")
struct MovieEditingTests {
    @Test("turns it in place by changing nothing but the matrix", arguments: MovieOrientationTests.all)
    func rotateInPlace(_ orientation: MovieOrientation) async throws {
        let url = try await Recording.h264.written().url
        let before = try Data(contentsOf: url)
        try MovieEditing.setOrientation(orientation, ofMovieAt: FilePath(url.path))
        let after = try Data(contentsOf: url)
        let changed = zip(before, after).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        #expect(before.count == after.count)
        #expect((changed.last ?? 0) - (changed.first ?? 0) < 36)
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.video[0].rotation == orientation.rotation.rawValue)
        #expect(info.video[0].mirrored == orientation.isMirrored)
        if !orientation.isMirrored {
            #expect(try await Judge.ffprobe(url).video?.clockwiseRotation == orientation.rotation.rawValue)
        }
        try MovieEditing.setOrientation(.upright, ofMovieAt: FilePath(url.path))
        #expect(try Data(contentsOf: url) == before)
    }

    /// A program inherits the files that are open when it is started, and their locks with them.
    @Test("gives its lock back, also where a program that was started meanwhile has the file open")
    func inherited() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.file("take.mov"))
        try Data("a movie".utf8).write(to: URL(filePath: path.string))
        var inherited: FileDescriptor?
        try ReadableFile.open(path, lock: .shared) { (file) throws(MovieFileError) in
            inherited = try? file.descriptor.duplicate()
        }
        let (one, other) = (try #require(inherited), try FileDescriptor.open(path, .readWrite))
        defer { for file in [one, other] { try? file.close() } }
        #expect(FileLock.exclusive.ask(other) == .taken)
    }

    @Test("turns fragments too")
    func rotateFragments() async throws {
        let url = try await Recording.proRes.written(finishing: false).url
        try MovieEditing.setOrientation(MovieOrientation(rotation: .half), ofMovieAt: FilePath(url.path))
        #expect(try await Judge.ffprobe(url).video?.clockwiseRotation == 180)
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("turns a copy, and leaves the movie as it is")
    func rotateCopy() async throws {
        let url = try await Recording.proRes.written().url
        let before = try Data(contentsOf: url)
        let output = Scratch.directory.unique("mov")
        try MovieEditing.setOrientation(
            MovieOrientation(rotation: .quarter), ofMovieAt: FilePath(url.path), writingTo: FilePath(output.path))
        #expect(try Data(contentsOf: url) == before)
        #expect(try await Judge.ffprobe(output).video?.clockwiseRotation == 90)
        #expect(try await Judge.packets(output, "v") == Judge.packets(url, "v"))
        #expect(throws: RushesError.self) {
            try MovieEditing.setOrientation(
                .upright, ofMovieAt: FilePath(url.path), writingTo: FilePath(output.path))
        }
        #expect(try await Judge.ffprobe(output).video?.clockwiseRotation == 90)
    }

    @Test("writes metadata again and again without growing or touching samples", arguments: Layout.allCases)
    func tagAgain(_ layout: Layout) async throws {
        let url = try await layout.make()
        let packets = try await Judge.packets(url, "v")
        let title = String(repeating: "long ", count: 40)
        var sizes: [Int] = []
        for round in 0..<4 {
            try MovieEditing.setMetadata(
                MovieMetadata(title: round % 2 == 0 ? title : "short", make: "Maker"), ofMovieAt: FilePath(url.path))
            let info = try MovieInfo(contentsOf: FilePath(url.path))
            #expect(info.title == (round % 2 == 0 ? title : "short"))
            #expect(info.make == "Maker")
            #expect(info.complete)
            try await Judge.decodesWithoutAWord(url)
            sizes.append(try Data(contentsOf: url).count)
        }
        #expect(try await Judge.packets(url, "v") == packets)
        #expect(sizes[3] <= sizes[1])
        #expect(sizes[2] <= sizes[0])
    }

    @Test("plays whichever step of writing metadata fails", arguments: Layout.allCases)
    func everyStep(_ layout: Layout) async throws {
        var completed = false
        for steps in 0...12 where !completed {
            let url = try await layout.make()
            let descriptor = try FileDescriptor.open(FilePath(url.path), .readWrite)
            defer { try? descriptor.close() }
            let file = FaultyFile(descriptor)
            file.steps = steps
            do throws(MovieFileError) {
                try MovieEditing.setMetadata(
                    MovieMetadata(title: "New title"), chapters: nil, try ReadableFile(descriptor), writingTo: file)
                completed = true
            } catch {
                #expect(steps < 12)
            }
            try await Judge.decodesWithoutAWord(
                url, "after step \(steps)", excused: "Found duplicated MOOV Atom. Skipped it")
            let title = try MovieInfo(contentsOf: FilePath(url.path)).title
            #expect([nil, "New title"].contains(title))
            #expect(!completed || title == "New title")
        }
        #expect(completed)
    }

    @Test("adds chapters that ffprobe and mediainfo list, and removes them", arguments: Layout.allCases)
    func chapters(_ layout: Layout) async throws {
        let url = try await layout.make()
        let chapters = [
            MovieInfo.Chapter(start: MediaTime(seconds: 0), title: "Début"),
            .init(start: MediaTime(seconds: 0.75), title: "Middle"),
            .init(start: MediaTime(seconds: 1.5), title: "終"),
        ]
        try MovieEditing.setMetadata(MovieMetadata(title: "T"), chapters: chapters, ofMovieAt: FilePath(url.path))
        let probe = try await Judge.ffprobe(url)
        #expect(probe.chapters?.map { $0.tags?["title"] } == ["Début", "Middle", "終"])
        #expect(probe.chapters?.map { Double($0.start_time) } == [0, 0.75, 1.5])
        #expect(try await Tool.succeed("mediainfo", [url.path]).text.contains("Middle"))
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).chapters == chapters)
        try await Judge.decodesWithoutAWord(url)
        // The first one need not be at the beginning.
        let begun = [
            MovieInfo.Chapter(start: MediaTime(seconds: 0.5), title: "First"),
            .init(start: MediaTime(seconds: 1.25), title: "Second"),
        ]
        try MovieEditing.setMetadata(MovieMetadata(title: "T"), chapters: begun, ofMovieAt: FilePath(url.path))
        #expect(try await Judge.ffprobe(url).chapters?.map { Double($0.start_time) } == [0.5, 1.25])
        #expect(
            try MovieInfo(contentsOf: FilePath(url.path)).chapters.map { ($0.start.seconds * 1000).rounded() } == [
                500, 1250,
            ])
        try await Judge.decodesWithoutAWord(url)
        // One behind the end would make the movie longer than its video and audio.
        let late = MovieInfo.Chapter(start: MediaTime(seconds: 60), title: "Late")
        let before = try Data(contentsOf: url)
        #expect(throws: RushesError.self) {
            try MovieEditing.setMetadata(MovieMetadata(), chapters: [chapters[0], late], ofMovieAt: FilePath(url.path))
        }
        #expect(try Data(contentsOf: url) == before)
        // Alone and in the second half: it lasts to the end, of which ffmpeg has nothing to say.
        let end = try MovieInfo(contentsOf: FilePath(url.path)).duration
        let last = MovieInfo.Chapter(start: end * 3 / 4, title: "Last")
        try MovieEditing.setMetadata(MovieMetadata(), chapters: [last], ofMovieAt: FilePath(url.path))
        #expect(try await Judge.ffprobe(url).chapters?.count == 1)
        try await Judge.decodesWithoutAWord(url)
        try MovieEditing.setMetadata(MovieMetadata(), chapters: [], ofMovieAt: FilePath(url.path))
        #expect(try await Judge.ffprobe(url).chapters?.isEmpty != false)
        #expect(try await Judge.ffprobe(url).streams.count == 2)
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).chapters == [])
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).title == "T")
    }

    @Test("is refused for fragments, and they stay as they are")
    func fragments() async throws {
        let url = try await Recording.h264.written(finishing: false).url
        let before = try Data(contentsOf: url)
        #expect(throws: RushesError.self) {
            try MovieEditing.setMetadata(MovieMetadata(title: "T"), ofMovieAt: FilePath(url.path))
        }
        #expect(try Data(contentsOf: url) == before)
    }

    /// Where a movie has its index.
    @Test("chapters of one moment leave those behind them in their places, and the movie its length")
    func simultaneous() async throws {
        let url = try await Layout.indexAtEnd.make()
        let length = try MovieInfo(contentsOf: FilePath(url.path)).duration
        let end = MediaTime(seconds: (length.seconds * 1000).rounded(.down) / 1000)
        let starts =
            Array(repeating: 0.5, count: 200).map { MediaTime(seconds: $0) }
            + [MediaTime(seconds: 1.25)] + Array(repeating: end - .millisecond, count: 100)
        let chapters = starts.enumerated().map { MovieInfo.Chapter(start: $1, title: "Mark \($0)") }
        try MovieEditing.setMetadata(MovieMetadata(), chapters: chapters, ofMovieAt: FilePath(url.path))
        let told = try #require(try await Judge.ffprobe(url).chapters)
        #expect(told.map { $0.tags?["title"] } == chapters.map(\.title))
        #expect(told.first.flatMap { Double($0.start_time) } == 0.5)
        #expect(told[200].start_time.hasPrefix("1.25"))
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).duration == length)
        try await Judge.decodesWithoutAWord(url)
    }

    enum Layout: CaseIterable, CustomTestStringConvertible {
        case indexAtEnd, indexAtFront, indexAtFrontWithRoom

        var testDescription: String { "\(self)" }

        private static let made = Made<Layout, URL>()

        /// A movie of its own for each test, as it is edited in place.
        func make() async throws -> URL {
            let original = try await Self.made.value(self) {
                let source = try await Recording.h264.written().url
                guard self != .indexAtEnd else { return source }
                let url = Scratch.directory.unique("mp4")
                let room = self == .indexAtFrontWithRoom ? "-moov_size 20000" : "-movflags +faststart"
                try await Tool.shell("ffmpeg -v error -i \(source.path) -c copy \(room) \(url.path)")
                return url
            }
            let url = Scratch.directory.unique("mp4")
            try FileManager.default.copyItem(at: original, to: url)
            return url
        }
    }
}

@Suite("Chapters set while recording")
struct RecordedChaptersTests {
    @Test("are in the finished movie", arguments: [Recording.hevc, .h264])
    func recorded(_ recording: Recording) async throws {
        let url = Scratch.directory.unique(recording.ending)
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let writer = MovieFileWriter(descriptor: descriptor, options: .init(audioPriming: 1024))
        try await writer.append(inRandomPieces: recording.bytes, seed: 4)
        writer.chapters = [
            .init(start: MediaTime(seconds: 0), title: "One"), .init(start: MediaTime(seconds: 1), title: "Two"),
        ]
        _ = try writer.finish()
        try await Judge.decodesWithoutAWord(url)
        #expect(try await Judge.ffprobe(url).chapters?.map { $0.tags?["title"] } == ["One", "Two"])
        #expect(try await Judge.packets(url, "v") == Judge.packets(recording.written().url, "v"))
    }
}

@Suite("A movie copied with its index at the front")
struct FastStartTests {
    @Test("plays the same, and has room for metadata", arguments: Recording.all)
    func sameMovie(_ recording: Recording) async throws {
        let url = try await recording.written().url
        let output = Scratch.directory.unique(recording.ending)
        try MovieEditing.moveIndexToFront(ofMovieAt: FilePath(url.path), writingTo: FilePath(output.path))
        try await Judge.decodesWithoutAWord(output)
        #expect(try await Judge.packets(output, "v") == Judge.packets(url, "v"))
        #expect(try await Judge.packets(output, "a") == Judge.packets(url, "a"))
        #expect(try await Judge.audio(output) == Judge.audio(url))
        #expect(try order(output) == ["ftyp", "moov", "free", "mdat"])
        let size = try Data(contentsOf: output).count
        try MovieEditing.setMetadata(MovieMetadata(title: "Later"), ofMovieAt: FilePath(output.path))
        #expect(try order(output) == ["ftyp", "moov", "free", "mdat"])
        #expect(try Data(contentsOf: output).count == size)
        try await Judge.decodesWithoutAWord(output)
        // And a second time, from the front to the front.
        let again = Scratch.directory.unique(recording.ending)
        try MovieEditing.moveIndexToFront(ofMovieAt: FilePath(output.path), writingTo: FilePath(again.path))
        #expect(try await Judge.packets(again, "v") == Judge.packets(url, "v"))
    }

    @Test("may take the place of the old one, which stays where the new one fails")
    func inItsPlace() async throws {
        let url = try await Recording.h264.written().url
        let packets = try await Judge.packets(url, "v")
        let path = FilePath(url.path)
        #expect(throws: MovieFileError.self) { try MovieEditing.moveIndexToFront(ofMovieAt: path, writingTo: path) }
        #expect(try order(url).last == "moov")
        try MovieEditing.moveIndexToFront(ofMovieAt: path, writingTo: path, replacing: true)
        #expect(try order(url) == ["ftyp", "moov", "free", "mdat"])
        #expect(try await Judge.packets(url, "v") == packets)
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("may be larger than four gigabytes")
    func large() async throws {
        let recording = try await SyntheticRecording(fragments: 1, frameSize: 180_000_000)
        let (url, finished) = try recording.written { try $0.finish() }
        let plan = try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in
            try FastStartPlan(file)
        }
        let moov = try Box(plan.front, at: 0)
        let table = try #require(moov.all("trak").last?.descendant("mdia", "minf", "stbl", "co64"))
        var reader = ByteReader(table)
        try reader.skip(4)
        let offsets = try reader.readTable(Int(try reader.read(UInt32.self)), of: UInt64.self)
        #expect(try #require(offsets.first) > 4_500_000_000)
        #expect(plan.parts.reduce(0) { $0 + UInt64($1.source.count) } + UInt64(finished.indexSize) == finished.fileSize)
    }

    private func order(_ url: URL) throws -> [String] {
        try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in
            try MovieLayout(file).boxes.map(\.type.description)
        }
    }
}

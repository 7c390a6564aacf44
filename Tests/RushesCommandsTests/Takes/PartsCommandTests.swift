import Foundation
import TestSupport
import Testing

/// `rushes record --split-every`, and `rushes control ID split`: files that follow each other.
@Suite(.timeLimit(.minutes(25)), .turn) struct PartsCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ name: String, _ options: [String]) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "--codec", "h264"] + options + [name],
            environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
    }

    private func frames(_ name: String) async throws -> Int {
        try await FFmpeg.decode(folder.file(name))
        return try await FFProbe.packets("v:0", of: folder.file(name)).count
    }

    @Test(arguments: ["take.mov", "take.mkv", "take.mp4"])
    func `a recording goes on in another file each second, where names are free`(name: String) async throws {
        let (stem, ending) = (name.prefix(4), name.suffix(3))
        let taken = "\(stem)-003.\(ending)"
        try Data("somebody else's".utf8).write(to: URL(filePath: folder.file(taken)))
        let take = try start(name, ["--split-every", "1s", "--duration", "3.5s"])
        let result = try await take.result(within: .seconds(120))
        #expect(result.status == 0, "\(result)")
        let events = try Event.all(result.text)
        let outputs = events.compactMap(\.state.output).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        let files = outputs.map { URL(filePath: $0).lastPathComponent }
        // A busy machine opens the next file late, and so has fewer.
        let names = [name] + ["-002", "-004", "-005"].map { "\(stem)\($0).\(ending)" }
        #expect(files.count > 1 && files == Array(names.prefix(files.count)), "\(files)")
        #expect(folder.contents == (files + [taken, "state"]).sorted())
        #expect(try String(contentsOfFile: folder.file(taken), encoding: .utf8) == "somebody else's")
        let last = try #require(events.last).state
        var counts: [Int] = []
        for file in files { counts.append(try await frames(file)) }
        #expect(counts.reduce(0, +) == last.framesWritten && last.fileIsGood == true)
        // What a busy machine's encoder dropped is told; and no file ends before its second, though it may end behind it.
        if last.framesDropped == 0 {
            #expect(counts.reduce(0, +) == 105)
            let ends = counts.indices.map { counts.prefix($0 + 1).reduce(0, +) }
            #expect(files.count < names.count || zip(ends, [30, 60, 90]).allSatisfy { $0 >= $1 }, "\(counts)")
        }
        let isInTime = counts == [30, 30, 30, 15]
        for (file, next) in zip(files, files.dropFirst()) {
            #expect(
                result.errors.contains("\(file): 0:0\(isInTime ? "1.0, " : "")")
                    && result.errors.contains("; recording continues in \(next)."))
        }
        #expect(
            result.errors.contains("\(files.count) files, the last \(files.last ?? ""): 0:03.5, "), "\(result)")
        let rest = try await FFProbe.inspect(folder.file(files[1]))
        #expect(
            (0..<0.045).contains(rest.audio.first?.startTime?.value ?? 1) && rest.video.first?.startTime?.value == 0)
    }

    @Test func `a recording goes on in another file before one is larger than was said`() async throws {
        let result = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", "test:pattern=snow,size=320x240,rate=30", "--microphone", "none", "--progress",
                "none",
                "--codec", "mjpeg", "--split-every", "1M", "--duration", "4s", "take.mov",
            ], limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let files = folder.contents
        #expect(files.count > 1, "\(files)")
        for file in files {
            let size = try FileManager.default.attributesOfItem(atPath: folder.file(file))[.size] as? Int ?? 0
            // What is on its way at the split, a second or two of it, goes beyond.
            #expect(size < 3_000_000, "\(file)")
            _ = try await frames(file)
        }
    }

    @Test func `somebody elsewhere asks for it; a kill costs the last file its last second`() async throws {
        let take = try start("take.mov", [])
        var (isAsked, id) = (false, "")
        for await line in take.lines {
            let event = try Event(line)
            (id, isAsked) = (event.id, isAsked || (event.state.mediaTime ?? 0) > 1)
            guard isAsked else { continue }
            break
        }
        let asked = try await BuiltCommand.rushes.run(
            ["control", id, "split"], environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
        #expect(asked.status == 0 && asked.errors == "Asked take.mov to continue in a new file.\n", "\(asked)")
        var begin = Double.infinity
        for await line in take.lines {
            let state = try Event(line).state
            if begin == .infinity, state.output?.hasSuffix("take-002.mov") == true { begin = state.mediaTime ?? 0 }
            if state.mediaTime ?? 0 > begin + 4 { break }
        }
        take.signal(SIGKILL)
        _ = try await take.result(within: .seconds(60))
        let first = try await frames("take.mov")
        #expect(first > 30)
        let recovered = try await BuiltCommand.rushes.run(["recover", "take-002.mov"], folder: folder.path)
        #expect(recovered.status == 0, "\(recovered)")
        #expect(try await frames("take-002.mov") > 30)
    }

    @Test func `the oldest files give way, but for one that somebody keeps and one that is not ours`() async throws {
        let sources = ["--camera", "test:pattern=snow,size=320x240,rate=30", "--microphone", "none"]
        let take = try BuiltCommand.rushes.start(
            ["record"] + sources + [
                "--json", "--codec", "mjpeg", "--split-every", "1s", "--keep", "6M", "--duration", "9s",
                "part-%02d.mov",
            ], environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
        var asked: Set<String> = []
        var (most, largest) = (0, 0)
        for await line in take.lines {
            let event = try Event(line)
            // One may go meanwhile.
            let sizes = folder.contents.filter { $0.hasSuffix(".mov") }.map {
                (try? FileManager.default.attributesOfItem(atPath: folder.file($0)))?[.size] as? Int ?? 0
            }
            (most, largest) = (max(most, sizes.reduce(0, +)), max(largest, sizes.max() ?? 0))
            if event.state.output?.hasSuffix("part-02.mov") == true, asked.insert("pin").inserted {
                let pinned = try await BuiltCommand.rushes.run(
                    ["control", event.id, "pin"], environment: ["XDG_STATE_HOME": folder.file("state")],
                    folder: folder.path)
                #expect(
                    pinned.status == 0 && pinned.errors == "part-01.mov keeps the file it is writing.\n", "\(pinned)")
                // Somebody else puts a file in the place of ours.
                let first = URL(filePath: folder.file("part-01.mov"))
                try FileManager.default.removeItem(at: first)
                try Data("somebody else's".utf8).write(to: first)
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        let files = folder.contents.filter { $0.hasSuffix(".mov") }
        // The second one, or on a busy machine the third.
        let kept = try #require(try /(part-0\d\.mov) is kept/.firstMatch(in: result.errors)).1
        let deleted = result.errors.matches(of: #/Deleted (part-\d\d\.mov), /#).map { String($0.1) }
        #expect(deleted.count >= 1 && Set(files).isDisjoint(with: deleted), "\(files), \(deleted)")
        #expect(files.contains(String(kept)) && !deleted.contains("part-01.mov"), "\(result)")
        #expect(try String(contentsOfFile: folder.file("part-01.mov"), encoding: .utf8) == "somebody else's")
        for file in files.dropFirst() { #expect(try await frames(file) > 0) }
        // The file that is written, and one that had not gone yet as it was looked.
        #expect(most < 6_000_000 + 2 * largest && largest < 6_000_000, "\(most), \(largest)")
        // All that was recorded is told, not only what is left, and so is how many files that were.
        #expect(result.errors.contains(" files, \(deleted.count) of them deleted, the last part-"), "\(result)")
        let last = try #require(try Event.all(result.text).last).state
        #expect((last.framesWritten ?? 0) + (last.framesDropped ?? 0) == 270)
    }

    @Test func `where the folder gets another name, the files go on there, and the oldest still give way`() async throws
    {
        try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: false)
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:pattern=snow,size=320x240,rate=30", "--microphone", "none", "--json",
                "--codec", "mjpeg", "--split-every", "1s", "--keep", "6M", "--duration", "8s", "in/a.mov",
            ], environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
        var isMoved = false
        for await line in take.lines {
            let output = try Event(line).state.output
            guard !isMoved, output?.hasSuffix("a-003.mov") == true else { continue }
            isMoved = true
            try FileManager.default.moveItem(atPath: folder.file("in"), toPath: folder.file("out"))
        }
        let result = try await take.result(within: .seconds(60))
        // Where it was moved just as a file was being opened there, that one is tried again.
        let failures = result.errors.components(separatedBy: "does not exist").count - 1
        #expect(isMoved && result.status == 0 && failures <= 1, "\(result)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).sorted()
        let deleted = result.errors.matches(of: #/Deleted (a\S*\.mov), /#).map { String($0.1) }
        #expect(deleted.contains("a.mov") && Set(files).isDisjoint(with: deleted), "\(files), \(result)")
        #expect((files.last ?? "") > "a-004.mov" && !folder.contents.contains("in"), "\(files)")
        #expect(
            result.errors.contains("recording continues in \(folder.file("out"))/\(files.last ?? "")."), "\(result)")
        for file in files { #expect(try await frames("out/\(file)") > 0) }
    }

    @Test func `a disk that fills up at a split leaves the files before complete`() async throws {
        let result = try await SmallDisk.run(
            ["record"] + Takes.small + [
                "--json", "--codec", "h264", "--min-free", "0", "--split-every", "2s", "--duration", "20s", "take.mov",
            ], size: "20M",
            meanwhile: "until [ -s take-002.mov ]; do sleep 0.01; done; dd if=/dev/zero of=filler bs=4k", in: folder)
        // Where not even an index has room the second file is not good; where nothing of it has, there is none.
        #expect([1, 3].contains(result.status) && result.errors.contains("the disk is full"), "\(result)")
        let last = try #require(try Event.all(result.text).last).state
        #expect(last.phase == (result.status == 1 ? "failed" : "finished") && last.fileIsGood == (result.status == 3))
        let isAlone = try !SmallDisk.contents(folder).contains("take-002.mov")
        #expect(!isAlone || result.status == 3, "\(result)")
        let first = SmallDisk.left("take.mov", in: folder)
        try await FFmpeg.decode(first)
        let count = try await FFProbe.packets("v:0", of: first).count
        #expect(count >= 60 - (last.framesDropped ?? 0), "\(result)")
    }

    @Test func `where no new file can be had, the recording goes on in this one, and says so once`() async throws {
        let result = try await SmallDisk.run(
            ["record"] + Takes.small + [
                "--json", "--codec", "h264", "--min-free", "0", "--split-every", "1s", "--duration", "4s", "take.mov",
            ], size: "20M", options: "nr_inodes=2", in: folder)
        #expect(result.status == 0, "\(result)")
        let words =
            "No new file could be started, so this one continues: "
        #expect(result.errors.components(separatedBy: words).count == 2, "\(result)")
        #expect(try SmallDisk.contents(folder) == ["take.mov"])
        try await FFmpeg.decode(SmallDisk.left("take.mov", in: folder))
        let last = try #require(try Event.all(result.text).last).state
        #expect(
            try await FFProbe.packets("v:0", of: SmallDisk.left("take.mov", in: folder)).count == last.framesWritten)
    }

    @Test func `what makes no sense is refused before anything is opened`() async throws {
        for (value, words) in [
            ("0.5s", "--split-every must be at least 1s, or 1M."), ("1k", "--split-every must be at least 1s, or 1M."),
            ("often", "often"),
        ] {
            let result = try await BuiltCommand.rushes.run(
                ["record", "--camera", "test", "--microphone", "test", "--split-every", value, "take.mov"],
                folder: folder.path)
            #expect(result.status == 64 && result.errors.contains(words), "\(result)")
        }
        #expect(folder.contents.isEmpty)
    }
}

import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Movies that begin with frames which are shown before the first one: what is copied keeps them, and their times.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LeadingFrameTests {
    private static let openH264 = "-c:v libx264 -preset veryfast -x264-params open-gop=1:bframes=3:scenecut=0:keyint=25"
    private static let openHEVC =
        "-c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=3:keyint=27:open-gop=1"
    private static let mpeg2 = "-c:v mpeg2video -g 15 -bf 2"

    /// What of a broadcast begins with a group's key frame, in a container.
    private func input(_ name: String, _ options: String) async throws -> (folder: TemporaryFolder, path: String) {
        let movie = try await MadeMovie("whole.ts", options)
        let (late, path) = (movie.folder.file("late.ts"), movie.folder.file(name))
        try LateReceiver.record(movie.path, to: late)
        guard !name.hasSuffix(".ts") else { return (movie.folder, late) }
        // ffmpeg's edit list would hide them.
        let options = name.hasSuffix(".mov") ? ["-use_editlist", "0"] : []
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", late, "-c", "copy"] + options + [path])
        return (movie.folder, path)
    }

    /// When each frame is shown, in seconds from the earliest, and how many of them are shown before the first packet's.
    private func times(_ path: String) async throws -> (shown: [Double], leading: Int) {
        let times = try await FFProbe.packets("v:0", of: path).compactMap { $0.ptsTime?.value }
        let (first, earliest) = (try #require(times.first), try #require(times.min()))
        return (times.map { $0 - earliest }, times.count { $0 < first })
    }

    @Test(
        arguments: Cases.taken(
            of: [
                ("in.mov", "\(mpeg2) -an"), ("in.ts", "\(openHEVC) -an"), ("in.ts", "\(openH264) -an"),
                ("in.flv", "\(openH264) -an"),
                ("in.flv", "\(openH264) -c:a aac"),
            ], ["out.mkv", "out.mov"], most: 4))
    func `copies have them`(made: (name: String, options: String), name: String) async throws {
        let (folder, path) = try await input(made.name, made.options)
        let output = folder.file(name)
        _ = try await ExportSession(input: FilePath(path), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(output)))
        let (before, after) = (try await times(path), try await times(output))
        #expect(before.leading > 1)
        #expect(after.shown.count == before.shown.count)
        #expect(zip(before.shown, after.shown).allSatisfy { abs($0 - $1) < 0.002 }, "\(before) became \(after)")
    }

    /// As in cameras' files: the group says that it needs none before it.
    @Test func `MPEG-2 that begins with frames of a closed group is decoded from the first on`() async throws {
        let (folder, path) = try await input("in.mov", "\(Self.mpeg2) -an")
        var bytes = try Data(contentsOf: URL(filePath: path))
        // ISO/IEC 13818-2, 6.2.2.6: closed_gop.
        let head = try #require(bytes.firstRange(of: Data([0, 0, 1, 0xB8])))
        bytes[head.upperBound + 3] |= 0x40
        try bytes.write(to: URL(filePath: path))
        let frames = try await MadeMovie.frames(at: path)
        for name in ["out.mkv", "encoded.mp4"] {
            let settings = name == "out.mkv" ? ExportSettings(preset: "copy") : MadeMovie.settings()
            _ = try await ExportSession(input: FilePath(path), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(name))))
            #expect(try await MadeMovie.frames(at: folder.file(name)) == frames, "\(name)")
        }
    }

    /// AVCHD of cameras that were switched on before: decoders give the frames before the first key frame.
    @Test func `frames that a decoder gives before the first packet's are encoded`() async throws {
        let (folder, path) = try await input("in.ts", "\(Self.mpeg2) -an")
        var bytes = try Data(contentsOf: URL(filePath: path))
        let head = try #require(bytes.firstRange(of: Data([0, 0, 1, 0xB8])))
        bytes[head.upperBound + 3] |= 0x40
        try bytes.write(to: URL(filePath: path))
        let frames = try await MadeMovie.frames(at: path)
        let output = folder.file("encoded.mp4")
        _ = try await ExportSession(input: FilePath(path), settings: MadeMovie.settings())
            .export(to: MovieDestination(FilePath(output)))
        #expect(try await MadeMovie.frames(at: output) == frames)
        let packets = try await FFProbe.packets("v:0", of: path).count
        #expect(frames.count == packets)
    }
}

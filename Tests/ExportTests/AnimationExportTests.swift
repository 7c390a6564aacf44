import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Movies that become GIFs, beside what ffmpeg makes of them in the same way.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AnimationExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func ffmpeg(_ options: String, _ name: String) async throws {
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-y"] + Tool.words(options) + [folder.file(name)],
            folder: folder.path)
    }

    private func export(
        _ input: String, to name: String = "out.gif", _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> ExportResult {
        var settings = ExportSettings(preset: "gif")
        change(&settings)
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name)), replacesExisting: true))
    }

    /// The frames' times and the whole length, as ffprobe reads them.
    private func times(_ name: String) async throws -> (frames: [Double], length: Double) {
        let frames = try await FFProbe.packets("v:0", of: folder.file(name)).compactMap { $0.ptsTime?.value }
        return (frames, try await FFProbe.inspect(folder.file(name)).format.duration?.value ?? 0)
    }

    /// One frame's pixels: red, green, blue and how opaque.
    private func pixels(_ name: String, at index: Int) async throws -> [UInt8] {
        try await ffmpeg("-i \(name) -vf select=eq(n\\,\(index)) -frames:v 1 -f rawvideo -pix_fmt rgba", "pixels")
        return [UInt8](try Data(contentsOf: URL(filePath: folder.file("pixels"))))
    }

    @Test func `it has the movie's frames at their times, as alike and as small as ffmpeg's`() async throws {
        let clip = "-f lavfi -i testsrc2=size=160x96:rate=30:duration=2 -pix_fmt yuv420p -c:v ffv1"
        try await ffmpeg(clip, "in.mkv")
        let result = try await export("in.mkv")
        try await ffmpeg("-i in.mkv -lavfi split[a][b];[a]palettegen[p];[b][p]paletteuse -f gif", "ffmpeg.gif")
        let (got, wanted) = (try await times("out.gif"), try await times("in.mkv"))
        #expect(result.frames == 60 && got.frames.count == 60 && abs(got.length - 2) < 0.0001, "\(got)")
        #expect(zip(got.frames, wanted.frames).allSatisfy { abs($0 - $1) <= 0.0051 }, "\(got)")
        let likeness = try await FFmpeg.psnr(of: folder.file("out.gif"), reference: folder.file("in.mkv"))
        let theirs = try await FFmpeg.psnr(of: folder.file("ffmpeg.gif"), reference: folder.file("in.mkv"))
        #expect(likeness > theirs - 0.3, "\(likeness) dB, ffmpeg's \(theirs) dB")
        let size = try FileManager.default.attributesOfItem(atPath: folder.file("ffmpeg.gif"))[.size] as? Int ?? 0
        #expect(Double(result.size) < 1.1 * Double(size), "\(result.size) bytes, ffmpeg's \(size)")
        let bytes = try Data(contentsOf: URL(filePath: folder.file("out.gif")))
        #expect(bytes.range(of: Data("NETSCAPE2.0".utf8 + [3, 1, 0, 0])) != nil, "It is not shown for ever.")
    }

    @Test func `what it cannot hold is told, and nothing else`() async throws {
        try Data("1\n00:00:00,000 --> 00:00:00,500\nOne\n\n".utf8).write(to: URL(filePath: folder.file("a.srt")))
        try Data(";FFMETADATA1\ntitle=Film\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=A\n".utf8)
            .write(to: URL(filePath: folder.file("a.txt")))
        try await ffmpeg(
            "-f lavfi -i testsrc2=size=64x48:rate=60:duration=0.5 -f lavfi -i sine=duration=0.5 -i a.srt -i a.txt"
                + " -map 0 -map 1 -map 2 -map_metadata 3 -c:v libx264 -pix_fmt yuv420p", "in.mkv")
        let result = try await export("in.mkv") { $0.preset = "gif" }
        #expect(result.frames == 15, "\(result)")
        for note in [
            "Players show a GIF of more than 50 frames a second at 10, so it has 30 of the 60 a second; choose others with frame rate.",
            "The audio was left out: GIF holds none.", "The chapter was left out: GIF has none.",
            "The subtitles of \(folder.file("in.mkv")) were left out.", "Left out: title; GIF cannot hold it here.",
        ] { #expect(result.notes.contains(note), "\(result.notes)") }
        #expect(result.notes.count == 6, "\(result.notes)")
        let silent = try await export("in.mkv", to: "silent.gif") { ($0.preset, $0.audio) = ("gif", .codec(.none)) }
        #expect(silent.notes == result.notes.filter { !$0.contains("audio") }, "\(silent.notes)")
        let again = try await export("out.gif", to: "again.gif")
        #expect(again.notes.count == 1 && again.frames == 15, "\(again.notes)")
    }

    @Test func `frames are cut, and fit into a size with square pixels`() async throws {
        try await ffmpeg(
            "-f lavfi -i testsrc2=size=90x72:rate=10:duration=0.5,setsar=16/15 -c:v ffv1 -pix_fmt yuv420p", "in.mkv")
        _ = try await export("in.mkv")
        let whole = try await FFProbe.inspect(folder.file("out.gif")).video.first
        #expect(whole?.width == 96 && whole?.height == 72)
        _ = try await export("in.mkv") { $0.size = VideoSize(64, 64) }
        let small = try await FFProbe.inspect(folder.file("out.gif")).video.first
        #expect(small?.width == 64 && small?.height == 48)
        _ = try await export("in.mkv") { $0.crop = CropArea(x: 1, y: 2, size: VideoSize(45, 31)) }
        let cut = try await FFProbe.inspect(folder.file("out.gif")).video.first
        #expect(cut?.width == 48 && cut?.height == 31)
    }

    @Test func `audio alone becomes none`() async throws {
        try await ffmpeg("-f lavfi -i sine=duration=0.3", "in.wav")
        let error = await #expect(throws: RushesError.self) { _ = try await export("in.wav") }
        #expect(error?.description == "There is no video that a GIF could be made of.")
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.gif")))
    }

    @Test func `transparent pixels stay so`() async throws {
        try await ffmpeg(
            "-f lavfi -i color=red:size=64x48:rate=10:duration=0.3,format=rgba,geq=r=255:g=0:b=0:a='if(lt(X,32),255,0)'"
                + " -c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le", "in.mov")
        let result = try await export("in.mov")
        #expect(result.notes.contains { $0.hasPrefix("Pixels of a GIF are opaque or transparent:") }, "\(result.notes)")
        let frame = try await pixels("out.gif", at: 2)
        #expect(frame.count == 64 * 48 * 4)
        let alphas: [UInt8] = stride(from: 3, to: frame.count, by: 4).map { frame[$0] }
        let row = [UInt8](repeating: 255, count: 32) + [UInt8](repeating: 0, count: 32)
        let middle = 20 * 64
        #expect(alphas[middle..<middle + 64].elementsEqual(row))
        #expect(frame[0] > 250 && frame[1] < 5 && frame[2] < 5, "\(frame.prefix(4))")
    }

    @Test func `what is too much to be kept is read twice`() async throws {
        // 45 frames of 1920×1080 are 140 MB.
        try await ffmpeg(
            "-f lavfi -i color=gray:size=1920x1080:rate=15:duration=3 -f lavfi -i color=red:size=40x40:rate=15:duration=3"
                + " -filter_complex overlay=x=n*40:y=20 -pix_fmt yuv420p -c:v libx264 -preset ultrafast", "in.mp4")
        let result = try await export("in.mp4")
        #expect(result.frames == 45 && result.duration == 3 * MediaTime.second, "\(result)")
        let got = try await times("out.gif")
        #expect(got.frames.count == 45 && abs(got.length - 3) < 0.0001, "\(got)")
        let likeness = try await FFmpeg.psnr(of: folder.file("out.gif"), reference: folder.file("in.mp4"))
        #expect(likeness > 38, "\(likeness) dB")
    }

    @Test func `an image that stands longer than a GIF can say stays as long`() async throws {
        try await ffmpeg("-f lavfi -i color=blue:size=32x32:rate=1/700:duration=1400 -c:v ffv1", "in.mkv")
        let result = try await export("in.mkv")
        #expect(result.duration == 1400 * MediaTime.second && result.frames == 4, "\(result)")
        #expect(abs(try await times("out.gif").length - 1400) < 0.02)
    }
}

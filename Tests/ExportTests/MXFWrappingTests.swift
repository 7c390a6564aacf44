import Encoding
import Errors
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// MXF as it is written for cinemas and exchanged between studios (IMF), which GStreamer's demuxer (1.22) does not survive.
@Suite(.timeLimit(.minutes(2)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MXFWrappingTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func edit(_ name: String, _ old: [UInt8], _ new: [UInt8]) throws {
        let path = URL(filePath: folder.file(name))
        var data = try Data(contentsOf: path)
        try #require(data.firstRange(of: Data(old)) != nil)
        while let range = data.firstRange(of: Data(old)) { data.replaceSubrange(range, with: new) }
        try data.write(to: path)
    }

    @Test func `audio in one part is all there`() async throws {
        try await make("in.mxf", "-map 1:a -ar 48000 -c:a pcm_s16le -f mxf_opatom")
        #expect(!MXFWrapping.isUnknown(toDemuxerOf: FilePath(#filePath)))
        // Its index is for all of it, and tells of no tracks that lie between each other.
        try edit("in.mxf", [0x3F, 0x09, 0x00, 0x14], [0x7F, 0x09, 0x00, 0x14])
        #expect(MXFWrapping.isUnknown(toDemuxerOf: FilePath(folder.file("in.mxf"))))
        _ = try await export("in.mxf", audio: .codec(.pcm))
        #expect(try await decoded("out.mov").audio == 144_000)
    }

    @Test func `what is encrypted for cinemas is refused and does not end the process`() async throws {
        try await make("in.mxf", rate: 25, "-c:v mpeg2video -ar 48000 -c:a pcm_s16le")
        let path = URL(filePath: folder.file("in.mxf"))
        var data = try Data(contentsOf: path)
        #expect(!EncryptedMXF.isOne(FilePath(path.path)))
        // Keys of audio by frames (SMPTE ST 382, table 1), and what they are where it is encrypted.
        let key = Data([0x06, 0x0E, 0x2B, 0x34, 1, 2, 1, 1, 0x0D, 1, 3, 1, 0x16])
        let encrypted = Data([0x06, 0x0E, 0x2B, 0x34, 2, 4, 1, 7, 0x0D, 1, 3, 1, 2, 0x7E, 1, 0])
        while let range = data.firstRange(of: key) {
            data.replaceSubrange(range.lowerBound..<range.lowerBound + 16, with: encrypted)
        }
        try data.write(to: path)
        let error = await #expect(throws: RushesError.self) { _ = try await export("in.mxf") }
        #expect(error?.description.contains("in.mxf is encrypted") == true, "\(String(describing: error))")
    }

    @Test func `frames in parts of their own are left to the demuxer`() async throws {
        try await make("in.mxf", rate: 25, "-c:v mpeg2video -ar 48000 -c:a pcm_s16le")
        #expect(!MXFWrapping.isUnknown(toDemuxerOf: FilePath(folder.file("in.mxf"))))
    }

    @Test func `JPEG 2000 of progressive frames keeps its colors`() async throws {
        try await make(
            "in.mxf", rate: 25,
            "-map 0:v -t 0.4 -c:v jpeg2000 -pix_fmt rgb48le -color_trc smpte2084 -color_primaries smpte432 -strict -2")
        let kind: [UInt8] = [0x0D, 0x01, 0x03, 0x01, 0x02, 0x0C]
        try edit("in.mxf", kind + [0x01], kind + [0x06])
        _ = try await export("in.mxf", to: "out.mov", "hevc")
        let video = try #require(try await FFProbe.inspect(folder.file("out.mov")).video.first)
        #expect(video.colorTransfer == "smpte2084" && video.colorPrimaries == "smpte432", "\(video)")
        #expect(video.nbFrames?.value == 10)
    }

    @Test(arguments: [("bt709", "bt709", "bt709"), ("bt2020nc", "arib-std-b67", "bt2020")])
    func `JPEG 2000 that the demuxer reads keeps the colors that the file tells`(
        matrix: String, transfer: String, primaries: String
    ) async throws {
        try await make(
            "in.mxf", rate: 25,
            "-map 0:v -t 0.4 -c:v jpeg2000 -pix_fmt yuv422p -colorspace \(matrix) -color_trc \(transfer) "
                + "-color_primaries \(primaries)"
        )
        #expect(!MXFWrapping.isUnknown(toDemuxerOf: FilePath(folder.file("in.mxf"))))
        let result = try await export("in.mxf", to: "out.mov", "prores-422")
        let video = try #require(try await FFProbe.inspect(folder.file("out.mov")).video.first)
        #expect(video.colorTransfer == transfer && video.colorPrimaries == primaries, "\(video) \(result.notes)")
        #expect(video.colorSpace == matrix)
    }

    @Test func `frames of a kind that the demuxer does not know do not end the process`() async throws {
        try await make("in.mxf", rate: 25, "-map 0:v -t 0.4 -c:v mpeg2video -f mxf")
        // They are said to be of ACES, and nothing else lies between them (SMPTE ST 2067-50).
        try edit("in.mxf", [0x0D, 0x01, 0x03, 0x01, 0x02, 0x04], [0x0D, 0x01, 0x03, 0x01, 0x02, 0x19])
        try edit("in.mxf", [0x0D, 0x01, 0x03, 0x01, 0x04], [0x0D, 0x01, 0x0F, 0x01, 0x04])
        #expect(MXFWrapping.isUnknown(toDemuxerOf: FilePath(folder.file("in.mxf"))))
        _ = try await export("in.mxf")
        #expect(try await FFProbe.inspect(folder.file("out.mov")).video.first?.nbFrames?.value == 10)
    }

    @Test func `the time code of audio alone is told`() async throws {
        try await make("in.mxf", "-map 1:a -ar 48000 -c:a pcm_s16le -timecode 10:00:00:00 -f mxf_opatom")
        let result = try await export("in.mxf", audio: .codec(.pcm))
        #expect(result.notes.contains { $0.contains("time code") }, "\(result.notes)")
    }
}

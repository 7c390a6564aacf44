import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Audio without a container among whose frames something else lies: what is around it comes, and what is lost is told.
@Suite(.timeLimit(.minutes(2)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DamagedAudioTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `AMR keeps all frames but those that are damaged`() async throws {
        // RFC 4867, section 5: frames of 4.75 kbit/s, 20 ms each.
        let frame: [UInt8] = [0x04] + [UInt8](repeating: 0x5A, count: 12)
        var bytes = Array("#!AMR\n".utf8) + (0..<200).flatMap { _ in frame }
        for damaged in stride(from: 20, to: 180, by: 20) { bytes[6 + 13 * damaged] = 0x64 }
        try Data(bytes).write(to: URL(filePath: folder.file("in.amr")))
        let result = try await export("in.amr", audio: .codec(.pcm))
        let samples = try await decoded("out.mov").audio
        let reference = try await decoded("in.amr").audio
        #expect(samples >= reference && reference > 150 * 160, "\(samples) of \(reference)")
        #expect(result.notes.contains { $0.contains("damaged and left out") }, "\(result.notes)")
    }

    @Test func `what is no frame of MP3 in the middle is told`() async throws {
        try await make("whole.mp3", "-map 1:a -c:a libmp3lame -b:a 64k")
        let whole = try Data(contentsOf: URL(filePath: folder.file("whole.mp3")))
        let place = whole.count / 2
        let data = whole[..<place] + Data(repeating: 0x3C, count: 1000) + whole[(place + 1000)...]
        try data.write(to: URL(filePath: folder.file("in.mp3")))
        let result = try await export("in.mp3", audio: .codec(.pcm))
        let told = try #require(result.notes.first { $0.contains("are not whole frames and were left out") })
        #expect(told.contains(" at 1.4") || told.contains(" at 1.5"), "\(told)")
        let lost = try await decoded("whole.mp3").audio - decoded("out.mov").audio
        #expect((1152...6 * 1152).contains(lost), "\(lost)")
        let untouched = try await export("whole.mp3", to: "whole.mov", audio: .codec(.pcm))
        #expect(!untouched.notes.contains { $0.contains("left out") }, "\(untouched.notes)")
    }
}

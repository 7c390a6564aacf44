import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// What copies from and to Matroska cannot carry is told, and what they can is there.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaLossTests {
    /// A file of tracks of MP3 and others, the first of which has a frame.
    private func file(_ tracks: [(type: UInt64, codec: String)], _ more: (inout EBMLWriter) -> Void = { _ in }) throws
        -> URL
    {
        var file = EBMLWriter()
        file.master(.ebml) { $0.text(.docType, "matroska") }
        file.master(.segment) { segment in
            segment.master(.tracks) { list in
                for (index, track) in tracks.enumerated() {
                    list.master(.trackEntry) { entry in
                        entry.unsigned(.trackNumber, UInt64(index + 1))
                        entry.unsigned(.trackType, track.type)
                        entry.text(.codecID, track.codec)
                    }
                }
            }
            segment.master(.cluster) { cluster in
                cluster.unsigned(.timestamp, 0)
                cluster.master(.blockGroup) { group in
                    group.data(.block, [0x81, 0, 0, 0] + [0xFF, 0xFB, 0x14, 0xC4] + [UInt8](repeating: 0, count: 92))
                    more(&group)
                }
            }
        }
        let url = Scratch.directory.unique("mkv")
        try Data(file.bytes).write(to: url)
        return url
    }

    @Test func `tracks without samples, and of a kind that nothing here knows, are told`() throws {
        let url = try file([(2, "A_MPEG/L3"), (0x20, "B_VOBBTN"), (2, "A_MPEG/L3"), (17, "S_TEXT/UTF8")])
        let told = [
            "Track 2 is left out: it is neither video nor audio nor subtitles.",
            "Track 3 is left out: it has no samples.", "Track 4 is left out: it has no samples.",
        ]
        #expect(try MovieCopy.copied(url, .init(fileType: .mp4)).copy.omittedTracks.map(\.reason) == told)
        #expect(try MatroskaCopyTests.copied(url).copy.omittedTracks.map(\.reason) == told)
    }

    @Test func `what lies beside frames is told`() throws {
        let plain = try file([(2, "A_MPEG/L3")])
        #expect(try MatroskaCopyTests.copied(plain).copy.omissions.isEmpty)
        let url = try file([(2, "A_MPEG/L3")]) { $0.data(.blockAdditions, [0xA6, 0x84, 0xEE, 0x81, 4, 0xA5]) }
        let told = ["What lies beside the frames of track 1, such as HDR10+ metadata, is left out."]
        #expect(try MovieCopy.copied(url, .init(fileType: .mp4)).copy.omissions == told)
        #expect(try MatroskaCopyTests.copied(url).copy.omissions == told)
    }

    /// What ffprobe says of how frames lie around the viewer.
    private func projection(_ url: URL) async throws -> String {
        try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "stream_side_data=projection,yaw,pitch"]
                + ["-of", "csv=p=0", url.path]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `a view all around is kept between Matroska files and movies`() async throws {
        let movie = try EditedIndex.ofFrames(try await CopyInput.aac.url()) { entry in
            let svhd = try Box(full: "svhd") { (writer: inout ByteWriter) in writer.append(UInt8(0)) }
            let prhd = try Box(full: "prhd") { (writer: inout ByteWriter) in
                writer.append(table: [0x1E_0000, 0xA_0000, 0] as [UInt32])
            }
            let equi = try Box(full: "equi") { (writer: inout ByteWriter) in
                writer.append(table: [0, 0, 0, 0] as [UInt32])
            }
            entry.extensions.append(Box("sv3d", children: [svhd, Box("proj", children: [prhd, equi])]))
        }
        let told = try await projection(movie)
        #expect(told.contains("equirectangular") && told.contains("30"), "\(told)")
        let matroska = Scratch.directory.unique("mkv")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", movie.path, "-c", "copy", matroska.path])
        #expect(try await projection(matroska) == told)
        let (again, copy) = try MatroskaCopyTests.copied(matroska)
        #expect(try await projection(again) == told)
        #expect(copy.omissions.isEmpty, "\(copy.omissions)")
        try await Judge.decodesWithoutAWord(again)
        let (there, thereCopy) = try MatroskaCopyTests.copied(movie)
        #expect(try await projection(there) == told && thereCopy.omissions.isEmpty, "\(thereCopy.omissions)")
        let back = try MovieCopy.copied(matroska, .init(fileType: .mp4))
        #expect(try await projection(back.url) == told && back.copy.omissions.isEmpty, "\(back.copy.omissions)")
        #expect(try MovieCopy.copied(movie, .init(fileType: .mov)).copy.omissions.isEmpty)
    }

    @Test func `a cover is in the other kind of file too`() async throws {
        let folder = try TemporaryFolder()
        let (cover, input) = (folder.file("cover.png"), try await CopyInput.aac.url())
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1", cover])
        let (movie, matroska) = (URL(filePath: folder.file("in.mp4")), URL(filePath: folder.file("in.mkv")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", input.path, "-i", cover, "-map", "0", "-map", "1", "-c", "copy"]
                + ["-disposition:v:1", "attached_pic", movie.path])
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", input.path, "-c", "copy", "-attach", cover, "-metadata:s:t"]
                + ["mimetype=image/png", matroska.path])
        let image = try Data(contentsOf: URL(filePath: cover))
        let (there, back) = (
            try MatroskaCopyTests.copied(movie), try MovieCopy.copied(matroska, .init(fileType: .mov))
        )
        #expect(there.copy.omissions.isEmpty && back.copy.omissions.isEmpty)
        #expect(try MatroskaCopyTests.copied(matroska).copy.omissions.isEmpty)
        for url in [there.url, back.url] {
            let dumped = folder.file("dumped.png")
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", url.path, "-map", "0:v:1", "-c", "copy", "-f", "image2"]
                    + ["-update", "1", dumped])
            // What is added behind the image's end by ffmpeg's own copy is no matter.
            #expect(try Data(contentsOf: URL(filePath: dumped)).starts(with: image.prefix(64)))
        }
    }

    /// As podcasts have them.
    @Test func `images of chapters are told where they are not copied`() async throws {
        let plain = Scratch.directory.unique("mp4")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", try await CopyInput.text.url().path, "-map", "0:v", "-map", "0:a"]
                + ["-map", "0:v", "-c", "copy", plain.path])
        let movie = try EditedIndex.of(plain) { moov in
            for index in (moov.children ?? []).indices where moov.children?[index].type == "trak" {
                try moov.children?[index].edit(["tref", "chap"]) { (chap: inout Box) in
                    chap.payload += [0, 0, 0, 3]
                }
            }
        }
        let (url, copy) = try MatroskaCopyTests.copied(movie)
        #expect(copy.omittedTracks.map(\.reason) == ["Track 3 is left out: Matroska cannot hold images of chapters."])
        #expect(try await Judge.ffprobe(url).chapters?.count == 2)
        let part = try MovieCopy.copied(movie, .init(timeRange: .seconds(0.5, 1.5)))
        let told = "Track 3 is left out: the copy's own chapters come without images of chapters."
        #expect(part.copy.omittedTracks.map(\.reason) == [told])
        #expect(try MovieCopy.copied(movie, .init(fileType: .mov)).copy.omittedTracks.isEmpty)
        let info = try MovieInfo(contentsOf: FilePath(movie.path))
        #expect(info.video.count == 1 && info.data?.count == 1 && info.chapters.count == 2)
        let joined = try MovieJoin.join(
            [FilePath(movie.path), FilePath(movie.path)], to: FilePath(Scratch.directory.unique("mov").path),
            as: .movie(.mov), replacing: false)
        #expect(joined.notes.contains { $0.hasSuffix("other tracks are left out.") }, "\(joined.notes)")
    }
}

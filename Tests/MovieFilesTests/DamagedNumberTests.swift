import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Numbers of damaged files that no arithmetic takes: none ends the program.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DamagedNumberTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func overwrite(_ url: URL, _ type: String, at offset: Int, with bytes: [UInt8]) throws -> URL {
        var data = try Data(contentsOf: url)
        let start = try #require(data.range(of: Data(type.utf8))).lowerBound - 4 + offset
        data.replaceSubrange(start..<start + bytes.count, with: bytes)
        let made = Scratch.directory.unique(url.pathExtension)
        try data.write(to: made)
        return made
    }

    @Test(arguments: [("25", "10:00:00:00", "09:51:31:20"), ("30000/1001", "10:00:00;00", nil)])
    func `a time code behind the day's last frame begins again`(rate: String, code: String, shown: String?) async throws
    {
        let path = folder.file("in.mov")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=\(rate):duration=1"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-timecode", code, path])
        #expect(try MovieInfo(contentsOf: FilePath(path)).timecode == code)
        let place = try ReadableFile.open(FilePath(path)) { (file) throws(MovieFileError) in
            for trak in try MovieContents(file).moov.all("trak") {
                let mdia = try trak.required("mdia")
                guard try mdia.required("hdlr").handlerType() == "tmcd" else { continue }
                return try SampleLocations(try mdia.required("minf").required("stbl"), limit: 1).samples.first?.offset
            }
            return nil
        }
        var bytes = try Data(contentsOf: URL(filePath: path))
        let start = Int(try #require(place))
        bytes.replaceSubrange(start..<start + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let damaged = FilePath(folder.file("damaged.mov"))
        try bytes.write(to: URL(filePath: damaged.string))
        let found = try MovieInfo(contentsOf: damaged).timecode
        #expect(found?.count == 11 && (shown == nil || found == shown), "\(found ?? "none")")
        let first = try #require(try TimeCode.first(in: damaged))
        #expect(
            (.zero..<86_500 * .second).contains(first.timeOfDay)
                && first.advanced(by: 60 * .second).frameNumber < 3_000_000)
        _ = try MovieCopy.copied(URL(filePath: damaged.string), .init(fileType: .mp4))
    }

    @Test func `a frame of Matroska that lasts longer than all time is counted`() throws {
        var file = EBMLWriter()
        file.master(.ebml) { $0.text(.docType, "matroska") }
        file.master(.segment) { segment in
            segment.master(.tracks) { tracks in
                for number in [1, 2] as [UInt64] {
                    tracks.master(.trackEntry) { track in
                        track.unsigned(.trackNumber, number)
                        track.unsigned(.trackType, 1)
                        track.text(.codecID, "V_VP8")
                        if number == 2 { track.unsigned(.defaultDuration, .max) }
                    }
                }
            }
            segment.master(.cluster) { cluster in
                cluster.unsigned(.timestamp, 0)
                cluster.master(.blockGroup) { group in
                    group.data(.block, [0x81, 0, 0, 0, 1, 2, 3])
                    group.unsigned(.blockDuration, .max)
                }
                cluster.data(.simpleBlock, [0x82, 0, 0, 0x80, 1, 2, 3])
            }
        }
        let path = FilePath(folder.file("in.mkv"))
        try Data(file.bytes).write(to: URL(filePath: path.string))
        let movie = try ReadableFile.open(path) { (file) throws(MovieFileError) in try MatroskaScan(file).movie }
        #expect(movie.tracks.map(\.sampleCount) == [1, 1])
        #expect(movie.duration == .longest)
    }

    @Test func `frames that last for thousands of years have times`() async throws {
        let seconds = try overwrite(await CopyInput.aac.url(), "mdhd", at: 20, with: [0, 0, 0, 1])
        let years = try overwrite(seconds, "stts", at: 20, with: [0xFF, 0xF0, 0, 0])
        let index = try VideoIndex(FilePath(years.path))
        #expect(index.frames.map(\.time).max() == .longest)
        #expect(try index.presentation().times.count == index.shownCount)
    }

    @Test func `an edit that begins at the end of time shows nothing`() async throws {
        let late = try EditedIndex.of(try await CopyInput.aac.url()) { moov in
            try moov.editAll("trak") { (trak: inout Box) throws(MovieFileError) in
                trak.removeChildren { $0.type == "edts" }
                let edit = EditList.Edit(duration: 1000, mediaTime: UInt64(Int64.max))
                trak.insert(try EditList(edits: [edit]).box(), after: "tkhd")
            }
        }
        #expect(throws: MovieFileError.noSamples) { try VideoIndex(FilePath(late.path)) }
    }

    @Test func `samples that lie behind all that a file can hold are refused`() async throws {
        let far = try EditedIndex.of(try await CopyInput.aac.url()) { moov in
            try moov.editAll("trak") { (trak: inout Box) throws(MovieFileError) in
                let isAudio = try trak["mdia"]?["hdlr"]?.handlerType() == "soun"
                try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
                    // A track without a description, for which a movie is made anew.
                    if isAudio { return stbl.removeChildren { $0.type == "stsd" } }
                    let count = try SampleLocations.chunkOffsets(stbl).count
                    stbl.removeChildren { $0.type == "stco" }
                    stbl.children?.append(
                        try Box(full: "co64") { (writer: inout ByteWriter) in
                            writer.append(UInt32(count))
                            writer.append(contentsOf: repeatElement(0xFF, count: 8 * count))
                        })
                }
            }
        }
        #expect(throws: MovieFileError.self) { try ReindexedMovie(reading: FilePath(far.path)) }
    }

    @Test func `a huge file of a nanosecond has no bit rate`() {
        let info = MovieInfo(path: "a", container: "avi", duration: .nanosecond, size: 1 << 62)
        #expect(info.bitRate == nil)
        #expect(MovieInfo(path: "a", container: "avi", duration: .second, size: 1000).bitRate == 8000)
    }

    @Test func `a movie whose header is too short is not turned, and stays as it is`() async throws {
        let short = try EditedIndex.of(try await CopyInput.aac.url()) { moov in
            try moov.edit(["mvhd"]) { (mvhd: inout Box) in mvhd.payload = mvhd.payload.prefix(40) }
        }
        let before = try Data(contentsOf: short)
        let error = #expect(throws: RushesError.self) {
            try MovieEditing.setOrientation(MovieOrientation(rotation: .quarter), ofMovieAt: FilePath(short.path))
        }
        #expect("\(try #require(error))".contains("'mvhd'"))
        #expect(try Data(contentsOf: short) == before)
    }
}

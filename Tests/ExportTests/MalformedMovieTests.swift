import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Movies whose index is not as it should be, and that every player shows all the same.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MalformedMovieTests {
    enum Fault: String, CaseIterable {
        /// The movie has no header.
        case missingHeader
        /// The description of colors lacks its last byte.
        case shortColors
        /// The data claims more bytes than the file has.
        case longData
        /// A track is of a kind that only images have.
        case auxiliaryTrack
        /// A second audio track does not say how it is coded, or has not even a list of descriptions.
        case emptyDescription, missingDescription
        /// The index is compressed, as QuickTime wrote it for the web.
        case compressedIndex

        var isAboutDescription: Bool { self == .emptyDescription || self == .missingDescription }
    }

    private func make(_ fault: Fault, in folder: TemporaryFolder) async throws -> String {
        let file = folder.file("in.mp4")
        let isFirst = fault == .longData
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1", "-f", "lavfi",
                "-i", "sine=duration=1", "-map", "0:v", "-map", "1:a",
            ] + (fault == .auxiliaryTrack ? ["-map", "0:v"] : fault.isAboutDescription ? ["-map", "1:a"] : []) + [
                "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac",
                "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-movflags",
                isFirst ? "+faststart+write_colr" : "+write_colr", file,
            ])
        var movie = try BoxedFile(contentsOf: file)
        switch fault {
        case .missingHeader: try movie.remove(["moov", "mvhd"])
        case .shortColors: try movie.shorten(["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1", "colr"], by: 1)
        case .longData: try movie.setSize(of: "mdat", adding: 5000)
        case .auxiliaryTrack: try movie.replaceLast("vide", with: "auxv")
        case .emptyDescription: try movie.clearLast("stsd", at: 8..<12)
        case .missingDescription: try movie.replaceLast("stsd", with: "free")
        case .compressedIndex: try movie.compressIndex()
        }
        try movie.write(to: file)
        return file
    }

    /// As ISO/IEC 14496-12, 8.7.3.3 has it (`stz2`), of which qtdemux (1.22) knows nothing.
    @Test func `audio whose sizes are listed in sixteen bits is there`() async throws {
        let movie = try await MadeMovie("in.mp4", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: movie.path)))
        let place = try #require(Data(bytes).range(of: Data("stsz".utf8), options: .backwards)).lowerBound - 4
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func big(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
        let (size, count) = (number(place), number(place + 16))
        let sizes: [UInt8] = (0..<count).flatMap { sample -> ArraySlice<UInt8> in
            let size = place + 20 + sample * 4
            return bytes[size + 2..<size + 4]
        }
        let parts: [[UInt8]] = [big(20 + sizes.count), Array("stz2".utf8), big(0), big(16), big(count), sizes]
        let list = Array(parts.joined())
        let rest = size - list.count
        bytes.replaceSubrange(
            place..<place + size,
            with: list + big(rest) + Array("free".utf8) + [UInt8](repeating: 0, count: rest - 8))
        try Data(bytes).write(to: URL(filePath: movie.path))
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(result.frames == 25 && result.notes.allSatisfy { !$0.contains("left out") }, "\(result.notes)")
        let audio = try await FFmpeg.audio(of: movie.folder.file("out.mp4"), rate: 48_000)
        #expect(abs(Double(audio.count) / 48_000 - 1) < 0.1 && audio.contains { abs($0) > 0.1 }, "\(audio.count)")
    }

    /// As packagers and GStreamer's muxer write it: the extends header counts to when the last frame is decoded.
    @Test(.requires(tool: "gst-launch-1.0", package: "gstreamer1.0-tools"))
    func `of a movie in fragments that says how long it lasts the last frames are there`() async throws {
        let folder = try TemporaryFolder()
        let line =
            "-q -e videotestsrc num-buffers=60 ! video/x-raw,framerate=30/1,format=I420 ! x264enc bframes=2 key-int-max=12 ! "
            + "h264parse ! mp4mux fragment-duration=500 ! filesink location=\(folder.file("in.mp4"))"
        _ = try await Tool.succeed("gst-launch-1.0", line.split(separator: " ").map(String.init))
        let settings = MadeMovie.settings()
        let result = try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.frames == 60 && result.notes.allSatisfy { !$0.contains("missing") }, "\(result.notes)")
    }

    @Test(arguments: Cases.taken(of: Fault.allCases, most: 3)) func `is told, copied and encoded whole`(fault: Fault)
        async throws
    {
        let folder = try TemporaryFolder()
        let file = try await make(fault, in: folder)
        let info = try MovieInfo(contentsOf: FilePath(file))
        #expect(info.complete && info.video.map(\.frameCount) == [25], "\(info)")
        #expect(abs(info.duration.seconds - 1) < 0.1)
        for (preset, ending) in [("copy", "mov"), ("copy", "mp4"), ("h264", "mov")] {
            // MP4 keeps what is MP4's.
            if ending == "mp4", fault == .auxiliaryTrack { continue }
            var settings = ExportSettings(preset: preset)
            settings.reencodes = preset != "copy"
            let output = folder.file("\(preset).\(ending)")
            let result = try await ExportSession(input: FilePath(file), settings: settings)
                .export(to: MovieDestination(FilePath(output)))
            #expect(result.frames == 25, "\(preset)")
            let report = try await FFProbe.inspect(output)
            #expect(report.video.count == 1 && report.audio.count == 1, "\(preset)")
            #expect(abs((report.format.duration?.value ?? 0) - 1) < 0.1, "\(preset)")
            // A copy has the description as it is, of which ffmpeg says so.
            if fault != .shortColors || preset != "copy" { try await FFmpeg.decode(output) }
            let isTold = result.notes.contains { $0.contains("auxv") || $0.contains("auxiliary") }
            #expect(isTold == (fault == .auxiliaryTrack), "\(preset): \(result.notes)")
            let isUndescribed = result.notes.contains { $0.contains("does not say how") }
            #expect(isUndescribed == fault.isAboutDescription, "\(preset): \(result.notes)")
        }
    }
}

/// A file of boxes, for taking bytes away so that it still holds together. The index has to be its last box for that.
private struct BoxedFile {
    private var bytes: [UInt8]

    init(contentsOf path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(filePath: path))) }

    func write(to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// Where the boxes lie that a path leads through, the first of each type.
    private func places(_ path: [String]) throws -> [Range<Int>] {
        var (places, range) = ([Range<Int>](), bytes.indices)
        for type in path {
            var start = range.lowerBound
            while type != self.type(start) {
                start += size(start)
                guard start + 8 <= range.upperBound else { throw CocoaError(.fileReadCorruptFile) }
            }
            places.append(start..<start + size(start))
            // What stands before the boxes inside.
            range = start + (["stsd": 16, "avc1": 86][type] ?? 8)..<start + size(start)
        }
        return places
    }

    private func size(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    private func type(_ start: Int) -> String { String(decoding: bytes[start + 4..<start + 8], as: UTF8.self) }

    private mutating func setSize(_ size: Int, at start: Int) {
        withUnsafeBytes(of: UInt32(size).bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }

    /// Takes bytes away at the end of a box.
    mutating func shorten(_ path: [String], by count: Int) throws {
        let places = try places(path)
        for place in places { setSize(place.count - count, at: place.lowerBound) }
        let end = places[places.count - 1].upperBound
        bytes.removeSubrange(end - count..<end)
    }

    mutating func remove(_ path: [String]) throws {
        let places = try places(path)
        let box = places[places.count - 1]
        for place in places.dropLast() { setSize(place.count - box.count, at: place.lowerBound) }
        bytes.removeSubrange(box)
    }

    /// Puts a compressed one in the index's place, which has to be the last box.
    mutating func compressIndex() throws {
        let place = try places(["moov"])[0]
        let index = Array(bytes[place])
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            big(UInt32(content.count + 8)) + Array(type.utf8) + content
        }
        func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
        // zlib's format with nothing compressed in it (RFC 1950, RFC 1951 section 3.2.4).
        let count = UInt16(index.count)
        let stored = withUnsafeBytes(of: (count.littleEndian, (~count).littleEndian), Array.init) + index
        let sums = index.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        let data = big(UInt32(index.count)) + [0x78, 0x01, 1] + stored + big(sums.1 << 16 | sums.0)
        bytes.removeSubrange(place.lowerBound...)
        bytes += box("moov", box("cmov", box("dcom", Array("zlib".utf8)) + box("cmvd", data)))
    }

    mutating func setSize(of type: String, adding count: Int) throws {
        let place = try places([type])[0]
        setSize(place.count + count, at: place.lowerBound)
    }

    mutating func replaceLast(_ text: String, with other: String) throws {
        guard let place = Data(bytes).range(of: Data(text.utf8), options: .backwards) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        bytes.replaceSubrange(place, with: other.utf8)
    }

    /// - Parameter range: counted from the box's type.
    mutating func clearLast(_ type: String, at range: Range<Int>) throws {
        guard let place = Data(bytes).range(of: Data(type.utf8), options: .backwards) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        for offset in range { bytes[place.lowerBound + offset] = 0 }
    }
}

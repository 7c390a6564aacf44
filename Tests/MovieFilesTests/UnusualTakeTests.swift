import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A take out of the ordinary")
struct UnusualTakeTests {
    @Test("of any shape is a movie that decodes without a word", arguments: Recording.unusual)
    func unusual(_ recording: Recording) async throws {
        let (url, finished) = try await recording.written()
        try await Judge.decodesWithoutAWord(url)
        let probe = try await Judge.ffprobe(url)
        #expect(probe.streams.count == finished?.tracks.count)
        for stream in probe.streams { #expect(stream.start == 0) }
        let fragments = try await recording.written(finishing: false).url
        #expect(try await Judge.packets(url, "v") == Judge.packets(fragments, "v"))
        for index in probe.streams.indices.dropFirst() {
            #expect(try await Judge.packets(url, "\(index)") == Judge.packets(fragments, "\(index)"))
        }
    }

    private var laterAudioOptions: MovieFileWriter.Options {
        var options = MovieFileWriter.Options(audioPriming: 1024)
        options.startTimes = { [1: 500 * .millisecond] }
        return options
    }

    @Test("with audio that begins later keeps it there")
    func laterAudio() async throws {
        let url = Scratch.directory.unique("mp4")
        let descriptor = try FileDescriptor.open(
            FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let writer = MovieFileWriter(descriptor: descriptor, options: laterAudioOptions)
        try await writer.append(inRandomPieces: Recording.h264.bytes, seed: 2)
        #expect(writer.tracks.map(\.handler) == ["vide", "soun"])
        let finished = try writer.finish()
        let probe = try await Judge.ffprobe(url)
        #expect(probe.video?.start == 0)
        #expect(abs(try #require(probe.audio).start - 0.5) < 0.001)
        let audio = try #require(finished.tracks.first { $0.handler == "soun" })
        #expect(abs((finished.duration - audio.duration).seconds) < 0.001)
        #expect(abs(audio.duration.seconds - 3.5186) < 0.001)
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("with audio that begins later keeps it there when it is never finished, and when it is recovered")
    func laterAudioOfKilledTake() async throws {
        let url = Scratch.directory.unique("mp4")
        do {
            let descriptor = try FileDescriptor.open(
                FilePath(url.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
            defer { try? descriptor.close() }
            let writer = MovieFileWriter(descriptor: descriptor, options: laterAudioOptions)
            try await writer.append(inRandomPieces: Recording.h264.bytes, seed: 2)
        }
        let killed = try await Judge.ffprobe(url)
        #expect(killed.video?.start == 0)
        // In fragments ffmpeg shows what the encoder put before the first audio.
        #expect(abs(try #require(killed.audio).start - (0.5 - 1024 / 44100.0)) < 0.001)
        try await Judge.decodesWithoutAWord(url)
        try await Judge.playsInGStreamer(url)
        _ = try MovieRecovery.recover(FilePath(url.path))
        let recovered = try await Judge.ffprobe(url)
        #expect(recovered.video?.start == 0)
        #expect(abs(try #require(recovered.audio).start - 0.5) < 0.001)
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("of more than four gigabytes, some of them in one fragment, finds every sample")
    func large() async throws {
        let recording = try await SyntheticRecording(fragments: 2, frameSize: 180_000_000)
        let (url, finished) = try recording.written { try $0.finish() }
        #expect(finished.fileSize > 8 << 30)
        // Only the first one: ffprobe reads what it shows.
        let packet = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0",
                "-read_intervals", "0%+#1", url.path,
            ]
        ).text.split(separator: "\n").first?.split(separator: ",").compactMap { UInt64($0) }
        #expect(packet?.count == 2)
        let contents = try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in
            try MovieContents(file)
        }
        let tables = contents.moov.all("trak").compactMap { $0.descendant("mdia", "minf", "stbl", "co64") }
        let offsets = try tables.map { table in
            var reader = ByteReader(table)
            try reader.skip(4)
            return try reader.readTable(Int(try reader.read(UInt32.self)), of: UInt64.self)
        }
        #expect(offsets[0].first == packet?.last)
        #expect(offsets[0][1] > 4_500_000_000)
        #expect(offsets[1][1] > 9_000_000_000)
        #expect(offsets.joined().allSatisfy { $0 < finished.fileSize })
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.complete)
        #expect(info.size == finished.fileSize)
    }
}

extension Recording {
    private static let sink = "fragment-duration=500 fragment-mode=dash-or-mss ! fdsink fd=1"
    private static let avc =
        "x264enc speed-preset=ultrafast key-int-max=25 threads=1 ! h264parse ! video/x-h264,stream-format=avc"

    private static func unusual(_ name: String, _ ending: String, priming: Int = 0, _ pipeline: String) -> Recording {
        Recording(name: name, ending: ending, audioPriming: priming, pipeline: pipeline)
    }

    static let unusual = [
        unusual(
            "one-frame", "mp4",
            "videotestsrc num-buffers=1 ! video/x-raw,width=160,height=120 ! \(avc) ! mp4mux \(sink)"),
        unusual(
            "one-frame-and-audio", "mov", priming: 1024,
            "videotestsrc num-buffers=1 ! video/x-raw,width=160,height=120 ! \(avc) ! qtmux name=m \(sink) "
                + "audiotestsrc num-buffers=1 ! audioconvert ! audio/x-raw,rate=48000,channels=1 ! avenc_aac ! m."),
        unusual(
            "two-sounds", "mov", priming: 0,
            "videotestsrc num-buffers=50 ! video/x-raw,width=160,height=120,framerate=25/1 ! \(avc) ! qtmux name=m \(sink) "
                + "audiotestsrc num-buffers=90 ! audio/x-raw,rate=48000,channels=1,format=S24LE ! m. "
                + "audiotestsrc num-buffers=90 ! audio/x-raw,rate=44100,channels=2,format=S16BE ! m."),
        unusual(
            "jpeg", "mov",
            "videotestsrc num-buffers=30 ! video/x-raw,width=160,height=120,framerate=30000/1001 ! jpegenc ! "
                + "qtmux name=m \(sink) audiotestsrc num-buffers=45 ! audio/x-raw,rate=96000,channels=1,format=S16LE ! m."
        ),
        unusual(
            "uneven-frames", "mp4",
            "videotestsrc num-buffers=120 ! video/x-raw,width=160,height=120,framerate=60/1 ! "
                + "identity drop-probability=0.4 ! \(avc) ! mp4mux \(sink)"),
        unusual(
            "video-only", "mov",
            "videotestsrc num-buffers=50 ! video/x-raw,width=160,height=120,framerate=25/1 ! "
                + "x264enc speed-preset=ultrafast bframes=3 b-adapt=false ! h264parse ! qtmux \(sink)"),
    ]
}

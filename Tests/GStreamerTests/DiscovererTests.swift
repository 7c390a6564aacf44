import Foundation
import GStreamer
import Testing

@Suite("The discoverer", .timeLimit(.minutes(10))) struct DiscovererTests {
    /// A short movie with video and audio, and the path to it.
    private func movie(_ muxer: String, _ name: String) async throws -> (ScratchFolder, String) {
        let folder = try ScratchFolder()
        let path = "\(folder.path)/\(name)"
        let pipeline = try PipelineDescription([
            [
                .make("videotestsrc", ["num-buffers": 25]),
                .caps(try Caps("video/x-raw,format=I420,width=64,height=48,framerate=25/1")), .make("jpegenc"),
                .pad(of: "mux", template: "video_%u"),
            ],
            [
                .make("audiotestsrc", ["num-buffers": 47]),
                .caps(try Caps("audio/x-raw,format=S16LE,channels=2,rate=48000")),
                .pad(of: "mux", template: "audio_%u"),
            ],
            [.make(muxer, name: "mux"), .make("filesink", ["location": .text(path)])],
        ]).build()
        try #require(pipeline.bin.element(named: "mux")).addTag("title", "\"NULL\"")
        let messages = pipeline.bus.messages()
        try await pipeline.setState(.playing)
        #expect(await messages.first { if case .endOfStream = $0 { true } else { nil } } == true)
        await pipeline.stop()
        return (folder, path)
    }

    @Test(
        "Container, streams, duration and tags are told apart",
        arguments: [
            ("qtmux", "a.mov", "video/quicktime"), ("matroskamux", "a.mkv", "video/x-matroska"),
        ])
    func files(muxer: String, name: String, container: String) async throws {
        let (folder, path) = try await movie(muxer, name)
        let media = try DiscoveredMedia(uri: "file://" + path)
        withExtendedLifetime(folder) {}
        #expect(media.container?.first?.name == container)
        #expect(media.streams.map(\.kind).sorted { "\($0)" < "\($1)" } == [.audio, .video])
        let video = try #require(media.streams.first { $0.kind == .video })
        #expect(video.caps?.first?.name == "image/jpeg")
        #expect(video.caps?.first?["width"]?.intValue == 64)
        let audio = try #require(media.streams.first { $0.kind == .audio })
        #expect(audio.caps?.first?["channels"]?.intValue == 2)
        let duration = try #require(media.duration)
        #expect((duration - .second).length < 50 * .millisecond)
        #expect(media.isSeekable)
        #expect(media.tags["title"] == "\"NULL\"")
    }

    @Test("What is no media, and what is not there, is an error") func errors() throws {
        let folder = try ScratchFolder()
        try "nothing".write(toFile: folder.path + "/a.mov", atomically: false, encoding: .utf8)
        #expect(throws: GStreamerError.self) {
            try DiscoveredMedia(uri: "file://\(folder.path)/a.mov", within: .seconds(-1))
        }
        let error = #expect(throws: GStreamerError.self) { try DiscoveredMedia(uri: "file:///nowhere/a.mov") }
        #expect(error?.isNotFound == true)
        #expect(throws: GStreamerError.self) { try DiscoveredMedia(uri: "no uri", within: .seconds(Int64.max)) }
    }
}

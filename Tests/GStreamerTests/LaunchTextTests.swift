import CGStreamer
import Foundation
import Testing

@testable import GStreamer

@Suite("Launch text", .timeLimit(.minutes(10))) struct LaunchTextTests {
    static let awkward = [
        "plain", "two words", "tab\there", "quote\"inside", "it's", "\"whole\"", "'single'", "a!b ! c", "semi;colon",
        "back\\slash",
        "line\nbreak", "$HOME `id` $(id)", "{braces} [x] (y)", "a=b,c", "ünïcode 映画", "NULL", "# comment", "a\\\"b",
        "*?~", " lead", "-dash",
    ]

    @Test("gst-launch writes the file that the built pipeline writes", arguments: awkward) func location(name: String)
        async throws
    {
        let folder = try ScratchFolder()
        func description(_ file: String) -> PipelineDescription {
            PipelineDescription([
                [
                    .make("fakesrc", ["num-buffers": 2, "sizetype": 2, "sizemax": 100]),
                    .make("filesink", ["location": .text(file)]),
                ]
            ])
        }
        let pipeline = try description("\(folder.path)/\(name)").build()
        let messages = pipeline.bus.messages()
        try await pipeline.setState(.playing)
        _ = await messages.first { if case .endOfStream = $0 { true } else { nil } }
        await pipeline.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")

        // In the folder itself, so that the name stands alone and its first and last characters count.
        let text = description(name).launchText
        let run = try Subprocess.shell("cd '\(folder.path)' && gst-launch-1.0 -q \(text)")
        #expect(run.status == 0, "\(text)\n\(run.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }

    @Test(
        "Caps of every shape are read by gst-launch",
        arguments: [
            "video/x-raw", "video/x-raw,format={I420,NV12},width=[1,100],framerate=30/1",
            "video/x-raw(memory:SystemMemory),width=16",
            "video/x-raw,width=16;image/jpeg", #"video/x-raw,note=(string)"a b; c""#, "ANY",
        ])
    func caps(text: String) throws {
        let caps = PipelineDescription.Node.caps(try Caps(text))
        let sink = PipelineDescription.Node.make("fakesink")
        for chain in [[.make("identity"), caps, sink], [caps, sink], [.make("identity"), caps]] {
            let line = PipelineDescription([chain]).launchText
            #expect(throws: Never.self, "\(line)") { try parse(line) }
        }
    }

    @Test(
        "A launch line that a person wrote passes the shell unchanged",
        arguments: [
            "videotestsrc num-buffers=1 ! video/x-raw,width=16 ! fakesink",
            "videotestsrc num-buffers=1  !  video/x-raw(memory:SystemMemory),width=16 ! fakesink name=\"a  b;c\"",
        ])
    func launchLine(line: String) throws {
        let text = PipelineDescription([[.launchLine(line)]]).launchText
        #expect(throws: Never.self, "\(text)") { try parse(text) }
    }

    /// What gst-launch does with its command line, but for running it.
    private func parse(_ text: String) throws {
        GStreamerLibrary.start()
        let words = try Subprocess.shell("printf '%s\\0' \(text)").output.split(separator: "\0").map(String.init)
        var arguments = words.map { strdup($0).map { UnsafePointer<gchar>($0) } } + [nil]
        defer { for argument in arguments { free(UnsafeMutablePointer(mutating: argument)) } }
        var failure: UnsafeMutablePointer<GError>?
        let element = arguments.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress?.withMemoryRebound(to: UnsafePointer<gchar>?.self, capacity: buffer.count) {
                gst_parse_launchv_full($0, nil, GST_PARSE_FLAG_FATAL_ERRORS, &failure)
            }
        }
        if let element { gst_object_unref(element) }
        if let failure { throw GStreamerError(adopting: failure, element: text) }
    }

    @Test("What needs no quotes has none") func plain() {
        let description = PipelineDescription([
            [
                .make("v4l2src", ["device": "/dev/video0"]),
                .make("x264enc", ["speed-preset": "ultrafast", "bitrate": 2000]),
                .make("fakesink", ["sync": false]),
            ]
        ])
        #expect(
            description.launchText
                == "v4l2src device=/dev/video0 ! x264enc speed-preset=ultrafast bitrate=2000 ! fakesink sync=false")
    }
}

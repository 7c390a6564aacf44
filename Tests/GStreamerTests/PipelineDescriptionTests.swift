import GStreamer
import TestSupport
import Testing

@Suite("Pipeline descriptions", .timeLimit(.minutes(10))) struct PipelineDescriptionTests {
    @Test(
        "Chains that meet at a muxer are built and printed alike",
        .requires(element: "mp4mux", package: "gstreamer1.0-plugins-good"))
    func muxer() throws {
        let description = PipelineDescription([
            [.make("videotestsrc"), .make("jpegenc"), .pad(of: "mux", template: "video_%u")],
            [
                .make("audiotestsrc"), .caps(Caps("audio/x-raw", ["rate": 48000])),
                .pad(of: "mux", template: "audio_%u"),
            ],
            [.make("qtmux", name: "mux"), .make("filesink", ["location": "a.mov"])],
        ])
        #expect(
            description.launchText == """
                videotestsrc ! jpegenc ! mux.video_%u  \\
                  audiotestsrc ! 'audio/x-raw,rate=(int)48000' ! mux.audio_%u  \\
                  qtmux name=mux ! filesink location=a.mov
                """)
        let pipeline = try description.build()
        let mux = try #require(pipeline.bin.element(named: "mux"))
        #expect(mux.pad("video_0")?.isLinked == true)
        #expect(mux.pad("audio_0")?.isLinked == true)
        withExtendedLifetime(pipeline) {}
    }

    @Test("A tee gives a pad to each branch, named or not") func tee() throws {
        let description = PipelineDescription([
            [.make("videotestsrc"), .make("tee", name: "t"), .make("fakesink")],
            [.pad(of: "t", template: ""), .make("fakesink")],
            [.pad(of: "t", template: "src_%u"), .make("fakesink")],
            [.pad(of: "t", template: "src_7"), .make("fakesink")],
        ])
        let pipeline = try description.build()
        let tee = try #require(pipeline.bin.element(named: "t"))
        #expect(["src_0", "src_1", "src_2", "src_7"].allSatisfy { tee.pad($0)?.isLinked == true })
        withExtendedLifetime(pipeline) {}
    }

    @Test("A launch line is one node of a chain") func launchLine() async throws {
        let description = PipelineDescription([
            [
                .launchLine("videotestsrc num-buffers=3 ! video/x-raw,width=8,height=8 ! identity"),
                .make("appsink", name: "out", ["sync": false]),
            ]
        ])
        #expect(try await description.run().count == 3)
    }

    @Test(
        "What cannot be built names who refuses",
        arguments: [
            ([[.make("nosuch")]], "nosuch"),
            ([[.make("fakesrc", ["nosuch": 1])]], "fakesrc"),
            ([[.make("fakesink", name: "a"), .make("fakesink")]], "a"),
            ([[.make("fakesrc"), .make("fakesrc", name: "b")]], "b"),
            ([[.make("fakesrc"), .pad(of: "c", template: "sink")]], "c"),
            ([[.make("audiotestsrc", name: "d"), .make("videoconvert")]], "src"),
            ([[.make("fakesrc", name: "e"), .make("fakesink", name: "e")]], "/GstPipeline:p"),
        ] as [([[PipelineDescription.Node]], String)])
    func refused(chains: [[PipelineDescription.Node]], element: String) {
        let error = #expect(throws: GStreamerError.self) { try PipelineDescription(chains).build(name: "p") }
        #expect(error?.element == element)
    }

    @Test("Descriptions are values") func values() {
        #expect(PipelineDescription.frames(3) == .frames(3))
        #expect(PipelineDescription.frames(3) != .frames(4))
    }
}

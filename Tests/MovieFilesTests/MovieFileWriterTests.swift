import Foundation
import SystemPackage
import Testing

@testable import MovieFiles

@Suite("A movie written through MovieFileWriter")
struct MovieFileWriterTests {
    @Test("is an ordinary movie that decodes without a word", arguments: Recording.all)
    func finishedDecodes(_ recording: Recording) throws {
        let (url, finished) = try recording.written()
        try Judge.decodesWithoutAWord(url)
        let probe = try Judge.ffprobe(url)
        #expect(try Judge.mediainfo(url, "General", "IsTruncated") == "")
        let video = try #require(probe.video)
        let sound = try #require(probe.sound)
        #expect(Int(video.nb_frames ?? "") == finished?.tracks.first { $0.handler == "vide" }?.sampleCount)
        #expect(video.start == 0)
        #expect(sound.start == 0)
    }

    @Test("shows the same packets at the same times as ffmpeg's own remux of the fragments", arguments: Recording.all)
    func samePacketsAsRemux(_ recording: Recording) throws {
        let (url, _) = try recording.written()
        // The fragments as written, which have the edits too, remuxed by ffmpeg.
        let fragments = try recording.written(finishing: false).url
        for kind in ["v", "a"] {
            #expect(try Judge.packets(url, kind) == Judge.packets(fragments, kind))
            #expect(try Judge.decoded(url, kind) == Judge.decoded(fragments, kind))
        }
    }

    @Test("plays upright after a kill that leaves the fragments", arguments: Recording.all)
    func killedIsUpright(_ recording: Recording) throws {
        let options = MovieFileWriter.Options(
            orientation: MovieOrientation(rotation: .quarter), soundPriming: recording.soundPriming)
        let url = try recording.written(options, finishing: false).url
        let probe = try Judge.ffprobe(url)
        #expect(probe.video?.clockwiseRotation == 90)
        #expect(probe.video?.start == 0)
        #expect(probe.sound?.start == 0)
        try Judge.decodesWithoutAWord(url)
    }
}

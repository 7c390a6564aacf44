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

    @Test("holds the packets, pictures and sound of the muxer's fragments as ffmpeg reads them", arguments: Recording.all)
    func sameAsFragments(_ recording: Recording) throws {
        let url = try recording.written().url
        let fragments = try recording.written(finishing: false).url
        #expect(try Judge.packets(url, "v") == Judge.packets(fragments, "v"))
        #expect(try Judge.pictures(url) == Judge.pictures(fragments))
        #expect(try Judge.packets(url, "a") == Judge.packets(fragments, "a"))
        // In fragments ffmpeg keeps what the encoder put first; in the movie an edit takes it away.
        let (sound, unedited) = try (Judge.sound(url), Judge.sound(fragments))
        #expect(unedited.suffix(sound.count) == sound)
    }

    @Test("plays upright and in step after a kill that leaves the fragments", arguments: Recording.all)
    func killedIsUpright(_ recording: Recording) throws {
        let options = MovieFileWriter.Options(
            orientation: MovieOrientation(rotation: .quarter), soundPriming: recording.soundPriming)
        let url = try recording.written(options, finishing: false).url
        let probe = try Judge.ffprobe(url)
        #expect(probe.video?.clockwiseRotation == 90)
        #expect(probe.video?.start == 0)
        // What the encoder put before the first sound lies before 0, so that the first sound lies at 0.
        let expected = -Double(recording.delay) / Double(try #require(Int(probe.sound?.sample_rate ?? "")))
        #expect(abs(try #require(probe.sound).start - expected) < 1e-5)
        try Judge.decodesWithoutAWord(url)
    }
}

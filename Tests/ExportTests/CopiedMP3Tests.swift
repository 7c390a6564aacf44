import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// MP3 that is copied into movies: heard when it is in its file.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct CopiedMP3Tests {
    private static let rate = 44_100.0

    /// A second of silence but for its second half.
    private func made(_ options: String) async throws -> (folder: TemporaryFolder, movie: String, music: String) {
        let movie = try await MadeMovie("in.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        let music = movie.folder.file("in.mp3")
        _ = try await Tool.succeed(
            "ffmpeg",
            Tool.words(
                "-nostdin -v error -f lavfi -i aevalsrc=if(lt(t\\,0.5)\\,0\\,0.5*sin(2000*PI*t)):s=44100:d=1 "
                    + "-c:a libmp3lame \(options) \(music)"))
        return (movie.folder, movie.path, music)
    }

    /// When the audio is loud first, in seconds from the file's beginning, as ffmpeg decodes it, and when its frames begin.
    private func times(_ path: String) async throws -> (loud: Double, frames: Double) {
        let bytes = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"]
        ).output
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        let loud = try #require(samples.firstIndex { abs(Int($0)) > 3000 })
        return (
            Double(loud) / Self.rate,
            try await FFProbe.packets("v:0", of: path).compactMap { $0.ptsTime?.value }.min() ?? 0
        )
    }

    @Test(arguments: Cases.taken(of: ["-write_xing 1", "-write_xing 0", "-q:a 2"], ["mov", "mp4", "mkv"], most: 3))
    func `it begins with the frames`(options: String, ending: String) async throws {
        let (folder, movie, music) = try await made(options)
        let output = folder.file("out.\(ending)")
        var settings = ExportSettings(preset: "copy")
        settings.addedAudio = [AddedAudio(music) { FilePath($0) }]
        _ = try await ExportSession(input: FilePath(movie), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
        let (wanted, found) = (try await times(music), try await times(output))
        #expect(abs(found.loud - found.frames - wanted.loud) < 0.002, "\(found), not \(wanted)")
    }

    /// A packet of such a rate may do nothing but prime the decoder.
    @Test(arguments: [8000, 11_025], ["mka", "mov"])
    func `it is copied at low sample rates, too`(rate: Int, ending: String) async throws {
        let folder = try TemporaryFolder()
        let (music, output) = (folder.file("in.mp3"), folder.file("out.\(ending)"))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=d=3:r=\(rate)", "-c:a", "libmp3lame", music])
        let result = try await ExportSession(input: FilePath(music), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(output)))
        #expect(result.notes == ["MP3 is copied as it is."])
        let (wanted, found) = (
            try await FFProbe.packets("a:0", of: music).count, try await FFProbe.packets("a:0", of: output).count
        )
        #expect(found == wanted)
    }

    @Test(arguments: ["mov", "mp4"]) func `it is copied without what primes its decoder`(ending: String) async throws {
        let (folder, _, music) = try await made("-write_xing 1")
        let output = folder.file("out.\(ending)")
        let result = try await ExportSession(input: FilePath(music), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(output)))
        #expect(result.notes == ["MP3 is copied as it is."])
        let (wanted, found) = (try await times(music), try await times(output))
        #expect(abs(found.loud - wanted.loud) < 0.0001, "\(found), not \(wanted)")
        #expect(abs(result.duration.seconds - 1) < 0.001)
    }
}

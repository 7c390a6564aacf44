import Encoding
import Errors
import Foundation
import MediaTypes
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Which photos become which frames, and photos with times of their own in a movie.
@Suite(
    .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"),
    .requires(tool: "exiftool", package: "libimage-exiftool-perl"))
struct PhotoScheduleTests {
    /// Photos that show their numbers, taken at these seconds.
    private func photos(_ seconds: [Double], in movie: MadeMovie) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-frames:v", "\(seconds.count)", "-start_number", "0"]
                + ["-q:v", "2", movie.folder.file("shot%d.jpg")])
        for (number, time) in seconds.enumerated() {
            let whole = Int(time)
            let clock = String(format: "2026:11:21 %02d:%02d:%02d", 6 + whole / 3600, whole / 60 % 60, whole % 60)
            let fraction = String(format: "%02d", Int((time * 100).rounded()) % 100)
            _ = try await Tool.succeed(
                "exiftool",
                [
                    "-q", "-overwrite_original", "-DateTimeOriginal=\(clock)", "-SubSecTimeOriginal=\(fraction)",
                    movie.folder.file("shot\(number).jpg"),
                ])
        }
    }

    @Test func `photos stay as far apart as they were taken`() async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        // The fourth is of the same frame as the third, at ten times the speed and 25 frames a second.
        try await photos([0, 2, 4.4, 4.52, 8, 8.4, 20], in: movie)
        let result = try await movie.timelapse(of: ["."]) { ($0.keepsTimes, $0.pace) = (true, .speed(10)) }
        #expect(try await movie.frames(of: "out.mp4") == [0, 1, 2, 4, 5, 6])
        let times = try await FFProbe.packets("v:0", of: movie.folder.file("out.mp4")).compactMap(\.ptsTime?.value)
        #expect(times.sorted().map { Int(($0 * 25).rounded()) } == [0, 5, 11, 20, 21, 50])
        #expect(result.duration == 2040 * .millisecond)
        // Its date is that of the first photo, in this machine's zone.
        let date = try await Tool.succeed("exiftool", ["-s3", "-CreationDate", movie.folder.file("out.mp4")]).text
        #expect(date.hasPrefix("2026:11:21 06:00:00"), "\(date)")
        _ = try await movie.timelapse(of: ["."]) { ($0.keepsTimes, $0.pace) = (true, .length(4 * .second)) }
        let last = try await FFProbe.packets("v:0", of: movie.folder.file("out.mp4")).compactMap(\.ptsTime?.value)
            .max()
        #expect(abs((last ?? 0) - 3.96) < 0.001)
        // One does not say when.
        _ = try await Tool.succeed("exiftool", ["-q", "-overwrite_original", "-all=", movie.folder.file("shot3.jpg")])
        await #expect(throws: RushesError.self) {
            _ = try await movie.timelapse(of: ["."]) { ($0.keepsTimes, $0.pace) = (true, .speed(10)) }
        }
    }

    @Test func `what cannot be read changes nothing about the order of the rest, nor about their times`() async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        try await photos([50, 40, 30, 20, 10, 0], in: movie)
        try Data().write(to: URL(filePath: movie.folder.file("shot9.jpg")))
        try Data("no photo".utf8).write(to: URL(filePath: movie.folder.file("shot7.png")))
        try Data("no photo".utf8).write(to: URL(filePath: movie.folder.file("Thumbs.db")))
        for keepsTimes in [false, true] {
            // A pattern finds the movie too, and what is none.
            let result = try await movie.timelapse(of: ["*"]) {
                if keepsTimes { ($0.keepsTimes, $0.pace) = (true, .speed(25)) }
            }
            #expect(try await movie.frames(of: "out.mp4") == [5, 4, 3, 2, 1, 0])
            let note = result.notes.first { $0.hasPrefix("2 of 8 photos were skipped: ") } ?? ""
            #expect(note.contains("shot9.jpg") && note.contains("shot7.png"), "\(result.notes)")
            #expect(!result.notes.contains { $0.contains("order of their names") })
        }
        // One that is whole does.
        _ = try await Tool.succeed("exiftool", ["-q", "-overwrite_original", "-all=", movie.folder.file("shot3.jpg")])
        let result = try await movie.timelapse(of: ["."])
        #expect(try await movie.frames(of: "out.mp4") == [0, 1, 2, 3, 4, 5])
        let words = "shot3.jpg does not say when it was taken, so all photos are in the order of their names."
        #expect(result.notes.contains(words), "\(result.notes)")
        let stamped = try await movie.timelapse(of: ["."]) { $0.look.stamp = "%S" }
        let note = "1 of 6 photos do not say when they were taken; no time is drawn into them."
        #expect(stamped.notes.contains(note), "\(stamped.notes)")
    }

    /// The night in which the clock was set back.
    @Test func `where photos tell their time zone, the order is that of the sun`() async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        try await photos([0, 0, 0, 0, 0], in: movie)
        let clocks = [
            ("02:55", "+02:00"), ("02:05", "+01:00"), ("02:50", "+02:00"), ("02:52", "+01:00"), ("02:00", "+01:00"),
        ]
        for (number, clock) in clocks.enumerated() {
            _ = try await Tool.succeed(
                "exiftool",
                ["-q", "-overwrite_original", "-DateTimeOriginal=2026:10:25 \(clock.0):00", "-SubSecTimeOriginal=0"]
                    + ["-OffsetTimeOriginal=\(clock.1)", movie.folder.file("shot\(number).jpg")])
        }
        _ = try await movie.timelapse(of: ["."]) { ($0.keepsTimes, $0.pace) = (true, .speed(60)) }
        #expect(try await movie.frames(of: "out.mp4") == [2, 0, 4, 1, 3])
        let times = try await FFProbe.packets("v:0", of: movie.folder.file("out.mp4")).compactMap(\.ptsTime?.value)
        #expect(times.sorted().map { Int(($0 * 25).rounded()) } == [0, 125, 250, 375, 1550])
        let date = try await Tool.succeed("exiftool", ["-s3", "-CreationDate", movie.folder.file("out.mp4")]).text
        #expect(date.hasPrefix("2026:10:25 02:50:00+02:00"), "\(date)")
        // One that does not tell its zone: all by their clocks.
        _ = try await Tool.succeed(
            "exiftool", ["-q", "-overwrite_original", "-OffsetTimeOriginal=", movie.folder.file("shot4.jpg")])
        _ = try await movie.timelapse(of: ["."])
        #expect(try await movie.frames(of: "out.mp4") == [4, 1, 2, 3, 0])
        await #expect {
            _ = try await movie.timelapse(of: ["."]) { $0.look.stamp = "%T %Z" }
        } throws: {
            "\($0)".contains("1 of 5 photos do not tell their time zone")
        }
    }

    @Test func `times that no movie can have are refused`() async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        try await photos([0, 1], in: movie)
        for (number, year) in [1990, 2024].enumerated() {
            _ = try await Tool.succeed(
                "exiftool",
                ["-q", "-overwrite_original", "-DateTimeOriginal=\(year):01:01 12:00:00"]
                    + [movie.folder.file("shot\(number).jpg")])
        }
        let photos = try (0...1).map { try PhotoFile(FilePath(movie.folder.file("shot\($0).jpg"))) }
        func schedule(_ speed: Double, _ rate: Fraction) throws -> PhotoSchedule {
            var timelapse = Timelapse(ofPhotos: ["."])
            (timelapse.keepsTimes, timelapse.pace, timelapse.rate) = (true, .speed(speed), rate)
            return try PhotoSchedule(timelapse, photos)
        }
        for (speed, rate) in [(0.1, Fraction(30)), (0.4, Fraction(1)), (1e-9, Fraction(240))] {
            let error = #expect(throws: RushesError.self) { try schedule(speed, rate) }
            #expect(error?.code == .invalidSettings)
        }
        for rate in [Fraction(1), Fraction(240)] {
            let length = try schedule(0.5, rate).length
            #expect(MediaTime(samples: length, of: rate) <= .longest + .second)
        }
    }

    @Test func `several photos become one frame`() async throws {
        let movie = try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 1)
        try await photos((0..<12).map(Double.init), in: movie)
        // A damaged one leaves the mean of the others.
        let whole = try Data(contentsOf: URL(filePath: movie.folder.file("shot5.jpg")))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: movie.folder.file("shot5.jpg")))
        _ = try await Tool.succeed(
            "convert",
            ["shot8.jpg", "shot9.jpg", "shot10.jpg", "shot11.jpg"].map { movie.folder.file($0) }
                + ["-average", movie.folder.file("wanted.png")])
        try FileManager.default.createDirectory(
            atPath: movie.folder.file("other"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: movie.folder.file("wanted.png"), toPath: movie.folder.file("other/wanted.png"))
        let result = try await movie.timelapse(of: ["."]) { $0.look.blend = .photos(4) }
        #expect(result.frames == 3 && result.notes.contains { $0.hasPrefix("1 of 12 photos were skipped") })
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", movie.folder.file("out.mp4"), "-vf", "select='eq(n,2)'", "-frames:v",
                "1",
            ]
                + [movie.folder.file("other/last.png")])
        let likeness = try await FFmpeg.psnr(
            of: movie.folder.file("other/last.png"), reference: movie.folder.file("other/wanted.png"))
        #expect(likeness > 35)
    }

    @Test func `what cannot be had is said`() throws {
        func schedule(_ count: Int, _ change: (inout Timelapse) -> Void) throws -> PhotoSchedule {
            var timelapse = Timelapse(ofPhotos: ["."])
            change(&timelapse)
            let folder = try TemporaryFolder()
            let photo = folder.file("photo.jpg")
            try Data("a".utf8).write(to: URL(filePath: photo))
            return try PhotoSchedule(timelapse, Array(repeating: try PhotoFile(FilePath(photo)), count: count))
        }
        let even = try schedule(10) { ($0.pace, $0.look.blend) = (.speed(2.5), .photos(2)) }
        #expect(
            even.shots.map(\.photo) == [0, 1, 3, 4, 5, 6, 8, 9] && even.shots.map(\.frame) == [0, 0, 1, 1, 2, 2, 3, 3])
        #expect(even.frameCount == 4 && even.length == 4)
        #expect(throws: RushesError.self) { try schedule(10) { ($0.pace, $0.look.blend) = (.speed(2), .photos(3)) } }
        #expect(throws: RushesError.self) { try schedule(3) { $0.look.blend = .photos(3) } }
        #expect(throws: RushesError.self) { try schedule(1) { _ in } }
        #expect(throws: RushesError.self) { try schedule(9) { $0.keepsTimes = true } }
    }
}

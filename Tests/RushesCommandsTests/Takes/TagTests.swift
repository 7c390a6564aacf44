import Foundation
import TestSupport
import Testing

/// What `record` writes into the file about itself, as others read it.
@Suite(.timeLimit(.minutes(25)), .turn) struct TagTests {
    private let tags = [
        "--title", "Tägliche Aufnahme “1”", "--location", "+48.8577+002.295+035/", "--make", "Acme", "--model", "X-100",
        "--date", "2026-11-21T14:03:22+01:00",
    ]

    @Test(arguments: ["take.mov", "take.mp4"]) func `exiftool, ffprobe, mediainfo and rushes read what was written`(
        name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let file = try await Takes.record(name, in: folder, ["--duration", "0.5", "--codec", "h264"] + tags)

        let exif = try await ExifTool.inspect(file)
        #expect(exif["Title"] == "Tägliche Aufnahme “1”")
        #expect(exif["Make"] == "Acme")
        #expect(exif["Model"] == "X-100")
        #expect(exif["GPSCoordinates"]?.hasPrefix("48.8577 2.295") == true)
        #expect(
            exif["CreateDate"]?.hasPrefix("2026:11:21 13:03:22") == true
                || exif["CreateDate"]?.hasPrefix("2026:11:21 14:03:22") == true)

        let format = try await FFProbe.inspect(file).format.tags ?? [:]
        #expect((format["title"] ?? format["com.apple.quicktime.title"]) == "Tägliche Aufnahme “1”")
        #expect(format.values.contains { $0.hasPrefix("+48.8577+002.295") })
        #expect(format["creation_time"]?.hasPrefix("2026-11-21T13:03:22") == true)

        let media = try await MediaInfo.inspect(file)
        #expect(media.general?["Title"] ?? media.general?["Movie"] == "Tägliche Aufnahme “1”")

        let info = try await BuiltCommand.rushes.run(["info", "--json", file])
        let facts = try #require(try JSONSerialization.jsonObject(with: info.output) as? [String: Any])
        #expect(facts["title"] as? String == "Tägliche Aufnahme “1”")
        #expect(facts["make"] as? String == "Acme")
        #expect(facts["model"] as? String == "X-100")
        #expect((facts["location"] as? String)?.hasPrefix("+48.8577+002.295") == true)
        #expect((facts["creationDate"] as? String)?.hasPrefix("2026-11-21T") == true)
    }

    @Test func `a take without a date is dated now`() async throws {
        let folder = try TemporaryFolder()
        let begin = Date().addingTimeInterval(-2)
        let file = try await Takes.record("take.mov", in: folder, ["--duration", "0.5", "--codec", "h264"])
        let text = try #require(try await FFProbe.inspect(file).format.tags?["creation_time"])
        // Whole seconds are enough, and ffprobe's six digits more than Foundation reads.
        let made = try #require(try? Date(text.prefix(19) + "Z", strategy: .iso8601))
        #expect((begin...Date()).contains(made))
    }
}

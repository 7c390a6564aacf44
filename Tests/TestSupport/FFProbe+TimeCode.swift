import Foundation
import Testing

extension FFProbe {
    /// The time code of a movie's first frame in seconds of the day, as its track of time codes counts.
    public static func secondsOfTimeCode(_ path: String) async throws -> Double {
        let report = try await inspect(path)
        let video = try #require(report.video.first)
        let track = try #require(report.streams.first { $0.codecTagString == "tmcd" })
        let text = try #require(video.tags?["timecode"])
        #expect(track.tags?["timecode"] == text)
        let numbers = text.split { ":;".contains($0) }.compactMap { Double($0) }
        try #require(numbers.count == 4)
        let rate = try #require(track.avgFrameRate?.split(separator: "/").compactMap { Double($0) })
        return (numbers[0] * 60 + numbers[1]) * 60 + numbers[2] + numbers[3] / (rate[0] / rate[1]).rounded()
    }
}

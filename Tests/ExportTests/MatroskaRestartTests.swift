import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Matroska whose times begin again in the middle: nothing is shown over what came before.
@Suite(.timeLimit(.minutes(3)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaRestartTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Clusters of half a second; those from 1.5 s on say that they begin at 0.
    private func makeInput() async throws {
        try await make("in.mkv", "\(Self.fast) -g 15 -bf 0 -c:a aac -cluster_time_limit 500")
        let path = URL(filePath: folder.file("in.mkv"))
        var data = try Data(contentsOf: path)
        var (place, edited) = (data.startIndex, 0)
        while let cluster = data[place...].firstRange(of: Data([0x1F, 0x43, 0xB6, 0x75])) {
            place = cluster.upperBound
            let time = try #require(data[place..<place + 16].firstIndex(of: 0xE7))
            let value = time + 2..<time + 2 + Int(data[time + 1] & 0x7F)
            let milliseconds = data[value].reduce(0) { $0 << 8 | Int($1) }
            guard milliseconds >= 1500 else { continue }
            edited += 1
            for (index, byte) in value.reversed().enumerated() {
                data[byte] = UInt8((milliseconds - 1500) >> (8 * index) & 0xFF)
            }
        }
        try #require(edited >= 3)
        try data.write(to: path)
    }

    private func told(_ name: String) throws -> Double {
        try #require(try MovieInfo(readingMatroska: FilePath(folder.file(name)))).duration.seconds
    }

    @Test(arguments: [("h264", "out.mp4"), ("copy", "out.mov"), ("copy", "out.mkv")])
    func `all of it is there, one part behind the other`(preset: String, name: String) async throws {
        try await makeInput()
        let result = try await export("in.mkv", to: name, preset)
        let (made, audio) = try await decoded(name)
        #expect(made == 90, "\(result.notes)")
        #expect(abs(audio - 3 * 44_100) < 3000, "\(audio)")
        let duration = try await FFProbe.inspect(folder.file(name)).format.duration?.value ?? 0
        #expect(abs(duration - 3) < 0.1, "\(duration)")
        #expect(try abs(told("in.mkv") - 3) < 0.1)
    }

    @Test func `what is recovered is told as a whole`() async throws {
        try await makeInput()
        let path = URL(filePath: folder.file("in.mkv"))
        let data = try Data(contentsOf: path)
        // Without what its recorder wrote behind the clusters.
        let cues = try #require(data.range(of: Data([0x1C, 0x53, 0xBB, 0x6B]), options: .backwards)).lowerBound
        try data[..<cues].write(to: path)
        let movie = try MovieRecovery.recover(
            FilePath(folder.file("in.mkv")), to: FilePath(folder.file("whole.mkv")))
        #expect(movie.framesRecovered == 90 && abs(movie.duration.seconds - 3) < 0.1, "\(movie)")
    }
}

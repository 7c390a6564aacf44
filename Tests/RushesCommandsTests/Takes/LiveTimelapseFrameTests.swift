import Foundation
import TestSupport
import Testing

/// What the frames of a timelapse from a camera are: as a preset says, and as images of their own.
@Suite(.timeLimit(.minutes(25)), .turn) struct LiveTimelapseFrameTests {
    private static let camera = ["--camera", "test:size=320x240", "--progress", "none"]

    @Test func `a preset says how shots are encoded`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "100ms", "--length", "0.1", "--preset", "prores-lt"] + Self.camera,
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let video = try #require(try await FFProbe.inspect(folder.file("a.mov")).video.first)
        #expect(video.codecName == "prores" && video.codecTagString == "apcs")
    }

    @Test func `a frame to look at, and the last shot as an image`() async throws {
        let folder = try TemporaryFolder()
        let look = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "1h", "--preview", "look.jpg"] + Self.camera, folder: folder.path)
        #expect(look.status == 0 && folder.contents == ["look.jpg"], "\(look)")
        #expect(try await FFProbe.inspect(folder.file("look.jpg")).video.first?.width == 320)
        let command = try BuiltCommand.rushes.start(
            ["timelapse", "a.mov", "--every", "1h", "--json"] + Self.camera, folder: folder.path)
        for await line in command.lines {
            let event = try Event(line)
            guard event.event == "update", event.state.completedItems == 1, event.state.phase == "running" else {
                continue
            }
            let answer = try await BuiltCommand.rushes.run(
                ["control", event.id, "snapshot", "now.jpg"], folder: folder.path)
            #expect(answer.status == 0 && answer.errors.hasPrefix("The last shot is saved as "), "\(answer)")
            let written = try Data(contentsOf: URL(filePath: folder.file("now.jpg")))
            let twice = try await BuiltCommand.rushes.run(
                ["control", event.id, "snapshot", "now.jpg"], folder: folder.path)
            #expect(twice.status == 1, "\(twice)")
            #expect(twice.errors == "rushes: \(folder.file("now.jpg")) already exists; choose another name.\n")
            #expect(try Data(contentsOf: URL(filePath: folder.file("now.jpg"))) == written)
            for _ in 1...2 {
                let beside = try await BuiltCommand.rushes.run(["control", event.id, "snapshot"], folder: folder.path)
                #expect(beside.status == 0, "\(beside)")
            }
            #expect(folder.contents.filter { $0.hasPrefix("a shot") } == ["a shot 1 2.jpg", "a shot 1.jpg"])
            command.signal(SIGINT)
            break
        }
        let result = try await command.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(try await FFProbe.inspect(folder.file("now.jpg")).video.first?.height == 240)
    }
}

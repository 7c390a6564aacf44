import Foundation
import TestSupport
import Testing

/// `--rotation` and `--mirror`, as four players obey them.
@Suite(.timeLimit(.minutes(25)), .turn) struct OrientationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rotation: Int
        var isMirrored = false
        var codec: String
        var file: String
        var isKilled = false
        var testDescription: String {
            "\(codec) \(file) \(rotation)\(isMirrored ? " mirrored" : "")\(isKilled ? " killed" : "")"
        }

        var options: [String] {
            ["--rotation", "\(rotation)", "--codec", codec] + (isMirrored ? ["--mirror"] : [])
        }
        var isUpright: Bool { rotation % 180 == 0 }
    }

    private static let cases = [
        Case(rotation: 90, codec: "h264", file: "take.mp4"),
        Case(rotation: 180, codec: "h264", file: "take.mov"),
        Case(rotation: 270, codec: "av1", file: "take.mp4"),
        Case(rotation: 90, codec: "hevc", file: "take.mov"),
        Case(rotation: 270, codec: "prores", file: "take.mov"),
        Case(rotation: 0, isMirrored: true, codec: "h264", file: "take.mp4"),
        Case(rotation: 90, isMirrored: true, codec: "h264", file: "take.mov"),
        Case(rotation: 90, codec: "h264", file: "take.mp4", isKilled: true),
        Case(rotation: 270, codec: "av1", file: "take.mp4", isKilled: true),
        Case(rotation: 180, isMirrored: true, codec: "h264", file: "take.mov", isKilled: true),
    ]

    @Test(arguments: Cases.taken(of: cases)) func `players turn and mirror the frame`(turned: Case) async throws {
        let folder = try TemporaryFolder()
        let file = try await record(turned, in: folder)

        let stream = try #require(try await FFProbe.inspect(file).video.first)
        #expect((stream.width, stream.height) == (320, 240))
        let matrix = try #require(DisplayMatrix(stream))
        #expect(matrix == DisplayMatrix(rotation: turned.rotation, isMirrored: turned.isMirrored))

        if !turned.isMirrored {
            let media = try await MediaInfo.inspect(file)
            #expect(media.video.first?.number("Rotation") ?? 0 == Double(turned.rotation))
            let discovered = try await GstDiscoverer.inspect(file)
            let orientation = discovered["image orientation"] ?? "rotate-0"
            #expect(orientation == "rotate-\(turned.rotation)")
        }
        if ["h264", "av1"].contains(turned.codec) {
            let playback = try #require(try await Browser.play(file).first)
            #expect(playback.plays, "\(playback)")
            #expect((playback.width, playback.height) == (turned.isUpright ? (320, 240) : (240, 320)))
        }
        let info = try await BuiltCommand.rushes.run(["info", file])
        #expect(info.text.contains("turned \(turned.rotation)°") == (turned.rotation != 0), "\(info.text)")
        #expect(info.text.contains("mirrored") == turned.isMirrored, "\(info.text)")
    }

    private func record(_ turned: Case, in folder: TemporaryFolder) async throws -> String {
        guard turned.isKilled else {
            return try await Takes.record(turned.file, in: folder, ["--duration", "1"] + turned.options)
        }
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json"] + turned.options + [turned.file], folder: folder.path)
        for await line in take.lines {
            let state = try Event(line).state
            // An encoder that waits for a core has written less than was recorded.
            guard state.mediaTime ?? 0 >= 2, state.bytesWritten ?? 0 > 20_000 else { continue }
            take.signal(SIGKILL)
            break
        }
        _ = try await take.result(within: .seconds(60))
        return folder.file(turned.file)
    }
}

/// The four numbers of a display matrix that turn and mirror, as ffprobe prints them: a, b in the first row, c, d in the
/// second (65536 is one).
struct DisplayMatrix: Equatable {
    var rows: [Int]

    init?(_ stream: FFProbe.Stream) {
        guard let text = stream.sideDataList?.compactMap(\.displaymatrix).first else {
            rows = [1, 0, 0, 1]
            return
        }
        let numbers = text.split(separator: "\n").compactMap { line in
            line.split(separator: ":").last?.split(separator: " ").compactMap { Int($0) }
        }
        guard numbers.count == 3, numbers[0].count == 3, numbers[1].count == 3 else { return nil }
        rows = [numbers[0][0], numbers[0][1], numbers[1][0], numbers[1][1]].map { $0 / 65536 }
    }

    /// A point (x, y) of the frame is shown at (ax + cy, bx + dy): mirrored first, then turned clockwise, y downwards.
    init(rotation: Int, isMirrored: Bool) {
        let (cosine, sine) = [0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)][rotation] ?? (1, 0)
        let flip = isMirrored ? -1 : 1
        rows = [flip * cosine, flip * sine, -sine, cosine]
    }
}

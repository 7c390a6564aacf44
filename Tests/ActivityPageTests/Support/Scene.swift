import Foundation
import LiveActivity
import TestSupport

/// What a person may see on the page on a busy day, with real frames.
struct Scene {
    let folder: TemporaryFolder
    let batch: Export
    let recording = Export("rec", title: "interview.mov", kind: .recording, output: "/home/me/interview.mov")
    let done: Export
    let failed = Export("failed", title: "wedding-raw.mkv", kind: .transcode)
    let stuck = Export(
        "stuck", title: "garden timelapse.mp4", kind: .timelapse, output: "/home/me/garden timelapse.mp4")

    init() async throws {
        folder = try TemporaryFolder()
        for second in [2, 5, 8] {
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-v", "error", "-ss", "\(second)", "-i", Checkout.clip, "-frames:v", "1", "-s", "320x180",
                    folder.file("\(second).jpg"),
                ])
        }
        try Data("movie".utf8).write(to: URL(filePath: folder.file("beach.mp4")))
        batch = Export("batch", title: "Holiday, all of it", kind: .batch, output: "/home/me/Movies/Holiday")
        done = Export("done", title: "beach.mp4", kind: .transcode, output: folder.file("beach.mp4"))
    }

    func frame(_ second: Int) -> String { folder.file("\(second).jpg") }

    func batch(_ count: Int, frame second: Int) -> ActivityEvent {
        batch.update(count) { state in
            state.subtitle = "Exporting \(count)/200"
            state.remaining = Double(200 - count) * 4.6
            state.speed = 2.4
            state.bytesWritten = Int64(count) * 31_000_000
            state.thumbnail = frame(second)
            state.output = "/home/me/Movies/Holiday"
        }
    }

    /// The others, in various states.
    var others: [ActivityEvent] {
        [
            recording.start(),
            recording.update(0) { state in
                (state.fraction, state.totalItems, state.completedItems) = (nil, nil, nil)
                state.mediaTime = 83
                state.bytesWritten = 48_200_000
                state.framesPerSecond = 29.97
                state.framesDropped = 2
                state.audioLevel = [-18.2, -30.5]
                state.microphones = [
                    MicrophoneLevel(name: "Desk & chair", level: -18.2, muted: false),
                    MicrophoneLevel(name: "Guest", level: -30.5, muted: true),
                ]
                state.thumbnail = frame(5)
                state.output = "/home/me/interview.mov"
                state.message = "HEVC 1920×1080 at 29.97, AAC"
            },
            done.start(),
            done.end { state in
                (state.totalItems, state.completedItems) = (nil, nil)
                state.mediaTime = 10
                state.bytesWritten = 4_800_000
                state.thumbnail = frame(8)
                state.output = folder.file("beach.mp4")
            },
            failed.start(),
            failed.end(.failed) { state in
                (state.totalItems, state.completedItems) = (nil, nil)
                state.message = "The disk is full; free some room and run it again with --resume"
            },
            stuck.start(),
            stuck.update(90, staleIn: -12) { state in
                (state.totalItems, state.completedItems) = (nil, nil)
                state.output = "/home/me/garden timelapse.mp4"
            },
        ]
    }
}

import Foundation
import Rushes

func export() async throws {
    let export = ExportSession(input: "take.mov", settings: ExportSettings(preset: "h264"))
    let result = try await export.export(to: MovieDestination("small.mp4"))
    print(result)
}

func compose() async throws {
    var talk = MovieComposition(main: "slides.mov", insets: ["face.mov"], layout: try Layout("bottom-right,radius=24"))
    talk.setLayout(Layout(.sideBySide), at: MediaTime(seconds: 60), over: MediaTime(seconds: 0.5))
    talk.alignment = .audio
    _ = try await ExportSession(composing: talk).export(to: MovieDestination("talk.mov"))
}

func copy() throws {
    let part = MediaTime(seconds: 1.5)..<MediaTime(seconds: 3)
    try MovieCopy.copy("take.mov", to: "part.mp4", options: .init(fileType: .mp4, timeRange: part))
}

func makeTimelapses() async throws {
    var day = Timelapse(ofPhotos: ["shots"])
    day.light.deflickers = true
    day.look.stamp = "%F %R"
    _ = try await ExportSession(timelapse: day).export(to: MovieDestination("day.mov"))

    let walk = Timelapse(ofVideo: "take.mov", .length(MediaTime(seconds: 1)))
    _ = try await ExportSession(timelapse: walk).export(to: MovieDestination("walk.mov"))
}

func shootTimelapse() async throws {
    let shots = TimelapseSettings(
        every: MediaTime(seconds: 0.5), duration: MediaTime(seconds: 3), exposure: .ramped, resumes: true)
    let timelapse = try await TimelapseRecording(
        of: .device(.testCamera), to: MovieDestination("garden.mov"), settings: shots)
    for await event in timelapse.events {
        if case .warning(let words) = event { print(words) }
    }
    print(await timelapse.result.progress.frames, "shots")
}

func planTimelapse() {
    let site = TimelapseSettings(
        every: MediaTime(seconds: 60), hours: .between(DateComponents(hour: 6, minute: 30), DateComponents(hour: 20)),
        minimumLuma: 5, standsBy: true, isDaily: true)
    print(site)
}

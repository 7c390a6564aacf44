import Rushes

func export() async throws {
    let export = ExportSession(input: "take.mov", settings: ExportSettings(preset: "h264"))
    let result = try await export.export(to: MovieDestination("small.mp4"))
    print(result)
}

func copy() throws {
    let part = MediaTime(seconds: 1.5)..<MediaTime(seconds: 3)
    try MovieCopy.copy("take.mov", to: "part.mp4", options: .init(fileType: .mp4, timeRange: part))
}

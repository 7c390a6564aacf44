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

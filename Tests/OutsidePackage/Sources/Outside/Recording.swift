import Rushes

func record() async throws {
    let session = CaptureSession()
    try await session.configure {
        $0.camera = try VideoSourcePlan(.test(TestPattern()))
        $0.microphone = try AudioSourcePlan(.test(TestTone()))
    }
    try await session.start()
    let recording = try await MovieFileOutput(session: session).startRecording(
        to: MovieDestination("take.mov"), settings: MovieSettings(),
        limits: RecordingLimits(maxRecordedDuration: .seconds(4)))
    for await event in recording.events { print(event) }  // started, progress, finished
}

func recordInCatalogue() async throws {
    let session = CaptureSession()
    try await session.configure {
        $0.camera = try VideoSourcePlan(.test(TestPattern()))
        $0.microphone = try AudioSourcePlan(.test(TestTone()))
    }
    try await session.start()

    let output = MovieFileOutput(session: session)
    let recording = try await output.startRecording(
        to: MovieDestination("take.mov"), settings: MovieSettings(),
        limits: RecordingLimits(maxRecordedDuration: .seconds(4)))
    for await event in recording.events {
        if case .progress(let progress) = event { print(progress.duration) }
    }
    let result = await recording.result
    await session.stop()
    print(result)
}

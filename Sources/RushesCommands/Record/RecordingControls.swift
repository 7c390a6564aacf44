import Capture
import Rushes

/// Sets controls of the main camera before and while it records, and sets them back in the end.
struct RecordingControls {
    private let session: CaptureSession
    private let request: RecordingRequest
    private let notice: RecordingNotice

    init(_ session: CaptureSession, _ request: RecordingRequest, _ notice: RecordingNotice) {
        (self.session, self.request, self.notice) = (session, request, notice)
    }

    /// How loud each microphone is in the sound settings.
    var microphoneVolumes: [MicrophoneVolume?] { get async { await session.microphoneVolumes } }

    /// Sets what the command line says, once the devices run.
    ///
    /// - Throws: ``RushesError`` where the camera does not take it.
    func begin() async throws {
        guard let controls = await session.cameraControls else { return }
        controls.listen { [notice] words in
            StandardStreams.printNote("rushes: \(Sentence(words).text)")
            notice.tell(words)
        }
        if !request.controls.isEmpty { StandardStreams.printNote(try await controls.set(request.controls)) }
    }

    /// - Parameter text: as a request has it: "exposure=-1ev gain=40".
    /// - Returns: what the camera really took.
    /// - Throws: ``RushesError`` where it does not take it.
    func set(_ text: String?) async throws -> String {
        let requests = try DeviceControlRequest.requests(text ?? "")
        guard let words = try await session.cameraControls?.set(requests) else { return "There is no camera." }
        StandardStreams.printNote(words)
        notice.tell(words)
        return words
    }

    /// Says where something could not be set back.
    func restore() async {
        guard let words = await session.cameraControls?.restore() else { return }
        StandardStreams.printNote("rushes: \(Sentence(words).text)")
    }
}

import Capture
import Imaging
import Rushes

/// Changes how several cameras stand in the frame while they are recorded, and says so; nothing with one camera.
struct CameraLayouts {
    private let recording: Recording
    private let asked: Layout

    init?(_ recording: Recording, _ request: RecordingRequest) {
        guard request.cameras.count > 1 else { return nil }
        (self.recording, asked) = (recording, request.layout)
    }

    func swap() {
        recording.swapCameras()
        StandardStreams.printNote("The cameras changed places.")
    }

    func show(_ cameras: ShownCameras) {
        recording.show(cameras)
        switch cameras {
        case .all: StandardStreams.printNote("All cameras are shown.")
        case .main: StandardStreams.printNote("The main camera alone is shown.")
        case .inset: StandardStreams.printNote("The inset alone is shown.")
        @unknown default: break
        }
    }

    /// - Parameter text: as it is typed.
    func change(to text: String) { change { try LayoutArgument.layout(text) } }

    /// - Parameter key: 1 to 7.
    func change(toKey key: Int) { change { LayoutArgument.layout(ofKey: key, like: asked) } }

    private func change(_ layout: () throws -> Layout?) {
        do {
            guard let layout = try layout() else { return }
            try recording.setLayout(layout)
            StandardStreams.printNote("The layout is \(layout).")
        } catch {
            StandardStreams.printNote("rushes: \(Sentence("\(error)").text)")
        }
    }
}

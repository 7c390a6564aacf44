import ArgumentParser
import Errors
import Rushes
import Threads

/// Lets another camera follow the one that is recorded: because somebody asks for it, or because that one is lost.
actor CameraSwitch {
    private let session: CaptureSession
    private let request: RecordingRequest
    private let notice: RecordingNotice
    /// Of the camera that is lost.
    private var attempt: Task<Void, Never>?
    /// Whether it was said that no other camera can be had.
    private var isTold = false

    init(_ session: CaptureSession, _ request: RecordingRequest, _ notice: RecordingNotice) {
        (self.session, self.request, self.notice) = (session, request, notice)
    }

    /// - Throws: what is wrong with a camera's name before it is looked for.
    static func check(_ text: String) throws -> CameraArgument {
        let argument = try CameraArgument(text)
        if case .none = try SourceSelection(argument.source, for: .camera) {
            throw ValidationError("A recording cannot continue with 'none'; name a camera.")
        }
        return argument
    }

    /// Goes on with the camera that is named, or the next one.
    func ask(_ wish: CameraSwitchRequest) async {
        guard request.maySwitch else { return }
        // What goes wrong is told.
        _ = try? await go(wish)
    }

    /// The same, for who is told what came of it.
    nonisolated func answer(_ wish: CameraSwitchRequest) -> ControlAnswer {
        ControlAnswer("The camera is being opened.") { "The recording continues with \(try await self.go(wish))." }
    }

    /// - Returns: the camera's name.
    private func go(_ wish: CameraSwitchRequest) async throws -> String {
        do {
            let name = try await follow(wish.camera, at: try await place(of: wish.place))
            isTold = false
            return name ?? "the same camera"
        } catch {
            // Whoever watches the recording is told too.
            if !(error is CancellationError) { tell("The camera was not switched: \(error)") }
            throw error
        }
    }

    /// Sees to a camera that is lost, where that was asked for. Returns at once.
    nonisolated func look(isLost: Bool) {
        guard case .switchCamera(let camera) = request.onLoss else { return }
        Task { await look(isLost, camera) }
    }

    private func look(_ isLost: Bool, _ camera: String?) {
        if !isLost { isTold = false }
        guard isLost, attempt == nil else { return }
        attempt = Task {
            // One that was named may be the one that is lost by now; then the first one is.
            let isNamed = await session.configuration.camera != request.camera
            do {
                _ = try await follow(isNamed && camera != nil ? request.cameraText : camera)
            } catch is CancellationError {
            } catch {
                if !isTold { tell("No other camera follows yet: \(error)") }
                isTold = true
                // A server or a driver that is gone is not asked all the time.
                try? await Task.sleep(for: .seconds(1))
            }
            attempt = nil
        }
    }

    private func tell(_ words: String) {
        let sentence = Sentence(words).text
        StandardStreams.printNote("rushes: \(sentence)")
        notice.tell(sentence)
    }

    /// Opens no more cameras.
    func finish() {
        attempt?.cancel()
        attempt = nil
    }

    /// Where one of several cameras is.
    private func place(of name: String?) async throws -> Int {
        guard let name else { return 0 }
        let names = await session.configuration.cameras.map(\.name)
        let wanted = name.lowercased()
        let same = names.indices.filter { names[$0].lowercased() == wanted }
        let fitting = same.isEmpty ? names.indices.filter { names[$0].lowercased().contains(wanted) } : same
        guard fitting.count == 1 else {
            throw RushesError(
                .badSource, on: name,
                "\(fitting.isEmpty ? "No" : "More than one") camera of this recording is called '\(name)'; it has "
                    + "\(names.joined(separator: ", ")).")
        }
        return fitting[0]
    }

    /// - Returns: the camera's name; nil where there is none any more.
    private func follow(_ text: String?, at place: Int = 0) async throws -> String? {
        let cameras = await session.configuration.cameras
        guard cameras.indices.contains(place) else { return nil }
        let current = cameras[place]
        let argument = try text.map { try Self.check($0) }
        let source =
            if let argument { try await Self.source(argument) } else {
                try await Self.next(after: current, among: cameras.compactMap(\.device))
            }
        var plan = try VideoSourcePlan(source, wanted(source, argument, after: current))
        plan.orientation = argument?.orientation ?? .upright
        try Task.checkCancellation()
        guard plan != current else {
            throw RushesError(.badSource, on: plan.name, "\(plan.name) is the camera that is being recorded.")
        }
        let camera = plan
        try await session.configure { configuration in
            // Others may have changed it meanwhile.
            guard configuration.cameras.indices.contains(place) else {
                throw RushesError(.deviceNotFound, on: current.name, "\(current.name) is not recorded any more.")
            }
            configuration.cameras[place] = camera
        }
        return camera.name
    }

    private static func source(_ argument: CameraArgument) async throws -> VideoSource {
        let sources = try await ChosenSources(cameras: [argument.source])
        guard let source = sources.cameras.first else {
            throw RushesError(
                .deviceNotFound, "There is no camera '\(argument.source)'; \(Term.devices) lists what there is.")
        }
        return source
    }

    /// Of the machine's cameras the one behind the present one.
    ///
    /// - Parameter taken: those that are recorded, by their ids.
    private static func next(after current: VideoSourcePlan, among taken: [String]) async throws -> VideoSource {
        let cameras = await DeviceDiscovery(includesTestSources: false).devices().filter {
            $0.kind == .camera && ($0.id == current.device || !taken.contains($0.id))
        }
        let place = cameras.firstIndex { $0.id == current.device }
        let others = place.map { cameras[($0 + 1)...] + cameras[..<$0] } ?? cameras[...]
        guard let next = others.first else {
            throw RushesError(.deviceNotFound, "There is no other camera; connect one, or name a source.")
        }
        return .device(next)
    }

    private func wanted(
        _ source: VideoSource, _ argument: CameraArgument?, after current: VideoSourcePlan
    ) -> FormatRequest {
        let depth = request.settings.bitDepth
        switch source {
        case .device(let device):
            return FormatRequest(
                following: current, by: device, size: argument?.size, rate: argument?.rate?.fraction, bitDepth: depth)
        case .test(let pattern):
            return FormatRequest(
                size: pattern.size == nil ? current.format?.size : nil, rate: pattern.rate == nil ? current.rate : nil,
                bitDepth: depth)
        case .launchLine: return FormatRequest(bitDepth: depth)
        }
    }
}

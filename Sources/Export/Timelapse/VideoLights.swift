import Composition
import Errors
import GStreamer
import Imaging
import MediaTypes
import Threads

/// Looks at the frames of a timelapse of a video before they are written, to know their light.
struct VideoLights: Sendable {
    let reader: MediaReader
    let properties: InputProperties
    /// Frames a second of the timelapse.
    let rate: Fraction
    /// What of the frames is looked at, as they are stored; nil: all.
    let region: FrameArea?
    /// How many frames come, if all can be decoded.
    let count: Int
    let status: ExportStatus

    /// For so long no frame may come.
    private static let timeout = Duration.seconds(60)
    /// Between two looks at whether it is over.
    private static let interval = Duration.milliseconds(500)

    /// The mean linear light of each frame that came, by its number in the timelapse, and in their order.
    ///
    /// - Throws: `CancellationError`; ``GStreamerError``; ``RushesError`` where nothing comes any more.
    func measure() async throws -> [(number: Int, light: Double?)] {
        do {
            try await reader.open(within: properties.timeout)
            let lights = try await onOwnThread("rushes-light") { try pull() }
            await reader.stop()
            return lights.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sum / Double($0.value.count)) }
        } catch {
            await reader.stop()
            throw error
        }
    }

    /// Frames that will become one have one number.
    private func pull() throws -> [Int: (sum: Double, count: Int)] {
        // What cannot be decoded is told when it is to be written.
        guard let sink = reader.tracks.first?.sink else { return [:] }
        var lights: [Int: (sum: Double, count: Int)] = [:]
        var (format, idle): (ComposedFormat?, Duration) = (nil, .zero)
        while status.mayContinue() {
            switch sink.pull(within: Self.interval) {
            case .end: return lights
            case .nothing:
                idle += Self.interval
                if reader.failure != nil { return lights }
                guard idle < Self.timeout else {
                    throw RushesError(
                        .stalled, "No frame came for \(Self.timeout.secondsText) seconds; the input cannot be read.")
                }
            case .sample(let sample):
                idle = .zero
                if let caps = sample.caps, caps != format?.caps { format = ComposedFormat(caps) }
                guard let buffer = sample.buffer, let time = sample.movieTime, let format else { continue }
                let part = region?.crop(in: format.image.size)
                guard let light = try? buffer.withView(format, { FrameLight.mean(of: $0, in: part) }) else { continue }
                let number = rate.slot(of: time)
                let known = lights[number] ?? (0, 0)
                lights[number] = (known.sum + light, known.count + 1)
                status.report(
                    .began(.init(step: "measuring the light of frame \(min(lights.count, count)) of \(count)")))
            }
        }
        throw CancellationError()
    }
}

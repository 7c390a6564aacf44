import Encoding
import GStreamer

/// Carries one track from the reader to the writer, on a thread of its own, until it ends or the export does.
protocol TrackPump: Sendable {
    /// For words on where it hangs.
    var name: String { get }
    var sink: AppSink { get }
    /// The sample that was fetched already to see what the track is.
    var first: Sample? { get }
    var meter: ExportStatus { get }

    /// - Returns: whether more is wanted.
    mutating func take(_ sample: Sample) -> Bool
    /// Nothing more comes.
    mutating func end()
}

extension TrackPump {
    /// Seconds between two looks at whether the export is over.
    private static var timeout: Double { 0.25 }

    /// Blocks until the track has ended.
    mutating func run() {
        if let first, !pass(first) { return finish() }
        while meter.mayGoOn() {
            switch sink.pull(within: Self.timeout) {
            case .sample(let sample): if !pass(sample) { return finish() }
            case .end: return finish()
            case .nothing: continue
            }
        }
    }

    private mutating func pass(_ sample: Sample) -> Bool {
        guard meter.mayGoOn() else { return false }
        let name = self.name
        meter.change { state in
            state.writing.insert(name)
            state.movement += 1
        }
        defer { meter.change { $0.writing.remove(name) } }
        return take(sample)
    }

    private mutating func finish() {
        if meter.mayGoOn() { end() }
    }
}

import Encoding
import GStreamer

/// Carries one track from the reader to the writer, on a thread of its own, until it ends or the export does.
protocol TrackPump: Sendable {
    /// For words on where it hangs.
    var name: String { get }
    var sink: any SampleSource { get }
    /// The sample that was fetched already to see what the track is.
    var first: Sample? { get }
    var status: ExportStatus { get }

    /// - Returns: whether more is wanted.
    mutating func take(_ sample: Sample) -> Bool
    /// Nothing more comes.
    mutating func end()
}

extension TrackPump {
    /// Between two looks at whether the export is over.
    private static var timeout: Duration { .milliseconds(250) }

    /// Blocks until the track has ended.
    mutating func run() {
        if let first, !pass(first) { return finish() }
        while status.mayContinue() {
            switch sink.pull(within: Self.timeout) {
            case .sample(let sample): if !pass(sample) { return finish() }
            case .end: return finish()
            case .nothing: continue
            }
        }
    }

    private mutating func pass(_ sample: Sample) -> Bool {
        guard status.mayContinue() else { return false }
        status.report(.submitting(track: name))
        defer { status.report(.submitted(track: name)) }
        return take(sample)
    }

    private mutating func finish() {
        if status.mayContinue() { end() }
    }
}

import Threads
import GStreamer
import Synchronization
import SystemPackage

/// How many frames a Matroska or WebM file holds: its index does not say, so its blocks are counted.
enum FrameCount {
    /// - Parameter seconds: how long the reading may take; a large file on a slow disk is then not counted.
    /// - Returns: `nil` if the file could not be read to its end in time.
    static func read(_ file: FileDescriptor, within seconds: Double = 20) async throws -> Int? {
        let count = Counter()
        let pipeline = try PipelineDescription([
            [
                .launchLine("filesrc name=file ! matroskademux name=demux demux.video_0 ! identity name=frames"),
                .make("fakesink", ["sync": false, "async": false]),
            ]
        ]).build(name: "count")
        // By its descriptor: a GStreamer location is text, a Linux file name any bytes.
        try pipeline.bin.element(named: "file")?.set("location", to: .text("/proc/self/fd/\(file.rawValue)"))
        _ = pipeline.bin.element(named: "frames")?.pad("sink")?.addBufferProbe { _ in
            count.value.add(1, ordering: .relaxed)
            return .pass
        }
        let isRead = AsyncSignal()
        let messages = pipeline.bus.messages()
        let watch = Task {
            for await message in messages {
                switch message.content {
                case .endOfStream: isRead.fire()
                // A file that breaks off is counted up to there.
                case .error: isRead.fire()
                default: break
                }
            }
        }
        defer { watch.cancel() }
        try await pipeline.setState(.playing, within: 5)
        let isComplete = await isRead.wait(seconds: seconds)
        await pipeline.stop(within: 1)
        return isComplete ? count.value.load(ordering: .relaxed) : nil
    }

    private final class Counter: Sendable { let value = Atomic(0) }
}

import GStreamer
import Threads

extension EncoderProbe {
    /// How many frames of this frame an encoder makes in a second, here and now, beside all that runs.
    ///
    /// A few frames are encoded as fast as it goes. They are one of the camera's, moved on a little each time: the same
    /// frame again would cost next to nothing.
    /// - Parameters:
    ///   - nodes: converters, encoder and parser.
    ///   - caps: what the frame is.
    ///   - frame: a raw frame of the camera.
    ///   - limit: how long it may take; what has come out by then counts.
    /// - Returns: frames a second, 0 where too little came out; `nil` where it cannot be tried.
    static func pace(
        of nodes: [PipelineDescription.Node], caps: Caps, frame: Buffer, within limit: Duration
    ) async -> Double? {
        let source = PipelineDescription.Node.make("appsrc", name: "frames", ["caps": .caps(caps), "format": "time"])
        let sink = PipelineDescription.Node.make("fakesink", name: "end", ["sync": false, "async": false])
        guard let pipeline = try? PipelineDescription([[source] + nodes + [sink]]).build(name: "probe"),
            let frames = try? pipeline.bin.element(named: "frames").map({ try AppSource($0) }),
            let end = pipeline.bin.element(named: "end")?.pad("sink"), let twice = frame.twice()
        else { return nil }
        let (came, isDone) = (Locked<[MediaTime]>([]), AsyncSignal())
        _ = end.addBufferProbe { _ in
            let count = came.withLock {
                $0.append(Pipeline.systemTime)
                return $0.count
            }
            if count == Self.frames { isDone.fire() }
            return .pass
        }
        _ = end.addEndOfStreamProbe {
            isDone.fire()
            return .pass
        }
        do { try await pipeline.setState(.playing, within: limit) } catch {
            await pipeline.stop(within: .seconds(1))
            return nil
        }
        let begin = Pipeline.systemTime
        let size = frame.byteCount
        for index in 0..<Self.frames {
            let start = size - Self.distance(index, size)
            let time = MediaTime(samples: index, rate: 30)
            guard
                let moved = twice.part(
                    start..<(start + size), presentationTime: time, duration: MediaTime.second / 30)
            else { break }
            frames.push(moved)
        }
        frames.endOfStream()
        _ = await isDone.wait(within: limit)
        let hasFailed = pipeline.bus.failure != nil
        let times = came.withLock { $0 }
        await pipeline.stop(within: .seconds(1))
        guard !hasFailed else { return nil }
        guard let first = times.first, let last = times.last, last > first else { return 0 }
        // Some work on several at once, which come out together: only all of them have taken all of the time.
        if times.count >= Self.frames { return Double(times.count) / (last - begin).seconds }
        return Double(times.count - 1) / (last - first).seconds
    }

    /// Enough to fill encoders that work on some at once, twice.
    private static let frames = 10

    /// By how many bytes a frame is moved: some lines lower and some pixels further right, whatever its format. Encoders' vector
    /// instructions like multiples of 64.
    private static func distance(_ index: Int, _ size: Int) -> Int {
        size == 0 ? 0 : (index * (size / 100 + 64)) % size & ~63
    }
}

extension Buffer {
    /// The bytes two times behind each other. Each part of that which is as long as they are is the frame moved, and shares its
    /// memory with all others: ten frames of 4K would be 120 MB.
    fileprivate func twice() -> Buffer? {
        try? withBytes { bytes in
            var twice: [UInt8] = []
            twice.reserveCapacity(2 * bytes.count)
            twice += bytes
            twice += bytes
            return twice.withUnsafeBytes { Buffer(copying: $0, presentationTime: nil, duration: nil) }
        }
    }
}

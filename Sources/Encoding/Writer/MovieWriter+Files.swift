package import GStreamer
import Synchronization
import Threads

/// For what comes from a file: it waits for the encoder instead of being given up. Each call blocks its thread, for a plan
/// made for ``EncodingPurpose/export``, until there is room or the writer is stopped.
extension MovieWriter {
    /// Hands a frame over, raw or encoded, timed in the movie. False if the movie is closed.
    package func write(frame: Buffer) -> Bool {
        guard let video, video.push(frame) else { return false }
        note(frame)
        return true
    }

    /// Hands audio over, raw or encoded, timed in the movie. False if the movie is closed, or has no such track.
    package func write(audio buffer: Buffer, to track: Int) -> Bool {
        guard audio.indices.contains(track), audio[track].push(buffer) else { return false }
        note(buffer)
        return true
    }

    /// No audio follows in one of the tracks.
    package func endAudio(of track: Int) { if audio.indices.contains(track) { audio[track].endOfStream() } }

    /// Calls the closure with each encoded frame on a streaming thread, before the muxer has it.
    package func onEncodedFrame(_ body: @escaping @Sendable (Buffer) -> Void) {
        video?.prepare { pipeline in
            _ = pipeline.bin.element(named: "video-encoded")?.pad("sink")?.addBufferProbe { frame in
                body(frame)
                return .pass
            }
        }
    }

    /// Counts the encoded frames from now on, for ``finish(within:chapters:progressCounter:)``: while the number grows, the
    /// encoder is at work.
    package func countEncodedFrames() -> @Sendable () -> Int? {
        let count = Locked(0)
        onEncodedFrame { _ in count.withLock { $0 += 1 } }
        return { count.withLock { $0 } }
    }

    /// The element that encodes the frames or, without any, the first audio.
    package var encoderName: String {
        let encoder =
            video?.current.pipeline.bin.element(named: "video-encoder")
            ?? audioEncoders.first?.pipeline.bin.element(named: "audio-encoder")
        return encoder?.factoryName ?? "none"
    }

    /// Whether the audio that this movie shares has almost no place any more to wait for its frames in: then the movies that share it would
    /// have to wait too.
    package var isHoldingUpAudio: Bool {
        guard let last = sequence?.last, let first = firstSharedAudio else { return false }
        let waiting = plan.audio.indices.map { last.waitingTime(of: first + $0) }.max() ?? .zero
        return waiting > MediaTime(nanoseconds: Int64(MoviePlan.queueTime)) * 7 / 8
    }

    /// Takes no more of the audio that another writer shares with this movie; who waits for it is woken. The file can be
    /// finished with what it has.
    package func leaveAudio(of other: MovieWriter) {
        guard let sequence else { return }
        hasLeft.store(true, ordering: .relaxed)
        other.sharedAudio.remove(sequence)
        for muxer in sequence.all { muxer.wake() }
    }

    /// Whether it was told to.
    package var hasLeftAudio: Bool { hasLeft.load(ordering: .relaxed) }

    /// Gives the movie up: stops the pipelines, which wakes whoever waits in them, and takes away what has been written.
    package func cancel() async {
        // An encoder that hangs holds up the end of its pipeline, and with it those who wait for room before it: each is woken by
        // its own.
        for encoder in encoders { OwnThread.run("rushes-wake") { encoder.source.element.stop() } }
        for muxer in sequence?.all ?? [] { muxer.wake() }
        await stop(within: Self.timeout)
        for muxer in sequence?.all ?? [] { await muxer.discard() }
        await parts.finish()
    }

    /// Something has been handed in.
    func note(_ buffer: Buffer) {
        hasData.store(true, ordering: .relaxed)
        if let time = buffer.presentationTime { reached.max(time.nanoseconds, ordering: .relaxed) }
    }
}

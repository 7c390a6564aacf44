import CPulse

/// A stream that records one source of a server and is never moved to another: neither by the server when the source goes,
/// nor by a person's hand. It ends instead.
///
/// Everything is told on the connection's thread, and everything is to be called there.
package final class PulseRecordStream: @unchecked Sendable {
    /// What is told.
    package enum Event {
        /// The server has made the stream, which flows.
        case ready
        /// Interleaved 32-bit floats that have come until now: whole samples of all channels.
        case samples([Float])
        /// The server has suspended the source (true), or it goes on.
        case suspended(Bool)
        /// It could not be made, or has ended. Nothing is told after it.
        case ended(PulseError)
    }

    /// The source's name.
    package let source: String
    private let connection: PulseConnection
    private var pulse: PulseLibrary { connection.pulse }
    private let stream: OpaquePointer
    private let onEvent: (Event) -> Void
    private let channels: Int
    private var gathered: [Float] = []
    /// So many samples are handed on at once.
    private let portion: Int
    private var isClosed = false

    /// Asks the server for the stream.
    ///
    /// - Parameters:
    ///   - source: a name; the server's own names for defaults are not meant to be used.
    ///   - rate: samples a second; the server converts where the source has another.
    ///   - channels: 1 to 6, in the order of GStreamer's: front left and right, center, bass, rear left and right.
    ///   - latency: of the source, and the length of the portions, in microseconds.
    /// - Throws: ``PulseError`` if the connection is not ready.
    package init(
        _ connection: PulseConnection, source: String, rate: Int, channels: Int, latency: UInt64,
        onEvent: @escaping (Event) -> Void
    ) throws(PulseError) {
        var format = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(rate), channels: UInt8(channels))
        let pulse = connection.pulse
        var map = Self.channelMap(channels, pulse)
        guard let stream = pulse.makeStream(connection.context, "recording", &format, &map) else {
            throw PulseError(of: connection)
        }
        (self.connection, self.source, self.stream, self.channels) = (connection, source, stream, channels)
        self.onEvent = onEvent
        portion = Int(latency) * rate / 1_000_000 * channels
        let this = Unmanaged.passUnretained(self).toOpaque()
        pulse.setStreamStateCallback(stream, { _, data in PulseRecordStream.from(data)?.stateChanged() }, this)
        pulse.setReadCallback(stream, { _, _, data in PulseRecordStream.from(data)?.read() }, this)
        pulse.setSuspensionCallback(stream, { _, data in PulseRecordStream.from(data)?.suspensionChanged() }, this)
        // The server keeps as much as it can (4 MB, eleven seconds of stereo) while this process is held up.
        var sizes = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: UInt32(clamping: pulse.byteCount(latency, &format)))
        let flags = pa_stream_flags_t(PA_STREAM_DONT_MOVE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue)
        guard pulse.connectForRecording(stream, source, &sizes, flags) >= 0 else {
            let error = PulseError(of: connection)
            close()
            throw error
        }
    }

    deinit { pulse.releaseStream(stream) }

    /// The server's number for the stream, once it is ready.
    package var index: UInt32? {
        let index = pulse.streamIndex(stream)
        return index == UInt32.max ? nil : index
    }

    /// Ends the stream. Nothing is told from now on.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        pulse.setStreamStateCallback(stream, nil, nil)
        pulse.setReadCallback(stream, nil, nil)
        pulse.setSuspensionCallback(stream, nil, nil)
        _ = pulse.disconnectStream(stream)
    }

    private func stateChanged() {
        switch pulse.streamState(stream) {
        case PA_STREAM_READY: onEvent(.ready)
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            let error = PulseError(of: connection)
            handOn()
            close()
            onEvent(.ended(error))
        default: break
        }
    }

    private func suspensionChanged() { onEvent(.suspended(pulse.isSuspended(stream) == 1)) }

    private func read() {
        while !isClosed, pulse.readableSize(stream) != 0 {
            var data: UnsafeRawPointer?
            var size = 0
            guard pulse.peek(stream, &data, &size) >= 0, size > 0 else { break }
            if let data {
                gathered.append(
                    contentsOf: UnsafeRawBufferPointer(start: data, count: size).bindMemory(to: Float.self))
            } else {
                // A hole in what the server kept.
                gathered.append(contentsOf: repeatElement(0, count: size / MemoryLayout<Float>.size))
            }
            _ = pulse.drop(stream)
        }
        guard gathered.count >= portion, !isClosed else { return }
        handOn()
    }

    private func handOn() {
        guard !gathered.isEmpty else { return }
        let samples = gathered
        gathered = []
        gathered.reserveCapacity(portion)
        onEvent(.samples(samples))
    }

    private static func channelMap(_ channels: Int, _ pulse: PulseLibrary) -> pa_channel_map {
        var map = pa_channel_map()
        guard channels > 2 else {
            _ = channels == 1 ? pulse.makeMono(&map) : pulse.makeStereo(&map)
            return map
        }
        let (left, right) = (PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT)
        let (center, bass) = (PA_CHANNEL_POSITION_FRONT_CENTER, PA_CHANNEL_POSITION_LFE)
        let rear = [PA_CHANNEL_POSITION_REAR_LEFT, PA_CHANNEL_POSITION_REAR_RIGHT]
        let places: [pa_channel_position_t] =
            switch channels {
            case 3: [left, right, center]
            case 4: [left, right] + rear
            case 5: [left, right, center] + rear
            default: [left, right, center, bass] + rear
            }
        map.channels = UInt8(places.count)
        withUnsafeMutableBytes(of: &map.map) { bytes in
            for (index, place) in places.enumerated() {
                bytes.storeBytes(
                    of: place, toByteOffset: index * MemoryLayout<pa_channel_position_t>.stride,
                    as: pa_channel_position_t.self)
            }
        }
        return map
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> PulseRecordStream? {
        data.map { Unmanaged<PulseRecordStream>.fromOpaque($0).takeUnretainedValue() }
    }
}

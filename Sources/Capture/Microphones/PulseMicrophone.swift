import CaptureAudio
import Errors
import GStreamer
import Logging
import PulseAudio
import Threads

/// A microphone of a sound server, recorded by streams that are never moved.
///
/// The connection's thread runs ``MicrophoneLife`` and hands the samples on; others only read the state.
final class PulseMicrophone: DeviceInput {
    private struct State {
        var life: MicrophoneLife
        var streams: [MicrophoneLife.Key: PulseRecordStream] = [:]
        /// The stream whose samples came last.
        var received: MicrophoneLife.Key?
        var timer: PulseTimer?
        /// What became of it, once the session closes it.
        var closed: FeedState?
        var isClosed: Bool { closed != nil }
        var isLost = false
        /// How many connections there have been: what an earlier one still says counts no more.
        var connections = 0
    }

    private let channels: Int
    private let baseTime: MediaTime
    private let connection = Locked<PulseConnection?>(nil)
    /// Only touched on the connection's thread and under the lock, which is never held while something is told.
    private let shared: Locked<State>
    private let isDecided = AsyncSignal()
    private let notices = Listeners<String>()
    private let changes = Listeners<FeedState>()
    private let onArrival: @Sendable (AudioArrival) -> Void

    /// How long a piece of audio is, in microseconds: how late it comes.
    private static let portion: UInt64 = 10_000

    /// - Parameter onArrival: gets the samples, on the connection's thread.
    init(
        _ wanted: ServerMicrophone, channels: Int, baseTime: MediaTime,
        onArrival: @escaping @Sendable (AudioArrival) -> Void
    ) {
        (self.channels, self.baseTime, self.onArrival) = (channels, baseTime, onArrival)
        shared = Locked(State(life: MicrophoneLife(wanted)))
    }

    /// Whoever drops it without ``stop()`` may be on the connection's thread, which cannot wait for its own end.
    deinit {
        guard let connection = connection.withLock({ $0 }) else { return }
        let (streams, timer) = shared.withLock { (Array($0.streams.values), $0.timer) }
        OwnThread.run("rushes-pulse-close") { Self.close(connection, streams, timer) }
    }

    private static func close(_ connection: PulseConnection, _ streams: [PulseRecordStream], _ timer: PulseTimer?) {
        connection.perform {
            timer?.cancel()
            for stream in streams { stream.close() }
        }
        connection.close()
    }

    var name: String { shared.withLock { $0.life.name } }
    var standing: [String] { shared.withLock { $0.life.standing } }
    /// How loud it is in the sound settings; `nil` while that is not known.
    var volume: MicrophoneVolume? { shared.withLock { $0.life.serverVolume } }
    var state: FeedState {
        shared.withLock { shared in
            if let closed = shared.closed { return closed }
            if let loss = shared.life.loss(at: Pipeline.systemTime) { return .lost(loss) }
            return shared.life.isInterrupted ? .stalled : .running
        }
    }

    func listen(forNotices body: @escaping @Sendable (String) -> Void) -> Int { notices.add(body) }
    func unlistenForNotices(_ key: Int) { notices.remove(key) }

    func states() -> AsyncStream<FeedState> { changes.states { state } }

    /// - Throws: ``RushesError``: what the server said, or that it did not answer in time.
    func start() async throws {
        let connection = try newConnection()
        // libpulse may start a server, and wait for it.
        await onOwnThread("rushes-pulse-open", orAfter: .seconds(5), otherwise: ()) { connection.open() }
        let isInTime = await isDecided.wait(within: .seconds(5))
        let (isOpen, failure) = shared.withLock { ($0.life.isOpen, $0.life.failure) }
        guard !isOpen else { return log.debug("device runs", metadata: ["device": "\(name)"]) }
        await stop()
        throw RushesError(opening: name, failure, isInTime: isInTime)
    }

    /// A connection that is not open yet, in the place of the one before.
    private func newConnection() throws(PulseError) -> PulseConnection {
        let number = shared.withLock { state in
            state.connections += 1
            return state.connections
        }
        let connection = try PulseConnection(program: "rushes") { [weak self] event in
            guard let self, shared.withLock({ $0.connections == number }) else { return }
            switch event {
            case .snapshot(let snapshot):
                see(.connected)
                see(.snapshot(snapshot))
            case .failed(let error):
                see(.failed(error))
                connectAgain()
            }
        }
        self.connection.withLock { $0 = connection }
        return connection
    }

    /// Looks for a server that is gone, twice a second, as it may be started again. Returns at once.
    private func connectAgain() {
        guard shared.withLock({ $0.life.mayReturn && !$0.isClosed }) else { return }
        OwnThread.run("rushes-pulse-again") { [weak self] in
            OwnThread.sleep(Self.retrial)
            self?.openAgain()
        }
    }

    private static let retrial = Duration.milliseconds(500)

    private func openAgain() {
        closeConnection()
        guard !shared.withLock({ $0.isClosed }) else { return }
        guard let connection = try? newConnection() else { return connectAgain() }
        connection.open()
        // Whoever has closed it meanwhile has closed the one before.
        if shared.withLock({ $0.isClosed }) { closeConnection() }
    }

    /// Ends the connection and what belongs to it, from any other thread than its own.
    private func closeConnection() {
        guard let connection = connection.withLock({ $0 }) else { return }
        let (streams, timer) = connection.perform {
            shared.withLock { state in
                defer { (state.streams, state.timer) = ([:], nil) }
                return (Array(state.streams.values), state.timer)
            }
        }
        Self.close(connection, streams, timer)
    }

    func end(as state: FeedState) { shared.withLock { $0.closed = $0.closed ?? state } }

    func stop() async {
        end(as: .ended)
        // What is being told is waited for, and that may take a lock of somebody who waits for this.
        await onOwnThread("rushes-pulse-close", orAfter: .seconds(1), otherwise: ()) { [self] in closeConnection() }
        changes.send(state)
    }

    // What follows runs on the connection's thread.

    private func see(_ fact: MicrophoneLife.Fact) {
        let now = Pipeline.systemTime
        let (actions, hasDecided, isNewlyLost) = shared.withLock { state in
            let actions = state.isClosed ? [] : state.life.see(fact, at: now)
            let (wasLost, isLost) = (state.isLost, state.life.loss(at: now) != nil)
            state.isLost = isLost
            return (actions, state.life.isOpen || isLost, isLost && !wasLost)
        }
        for action in actions { perform(action) }
        if isNewlyLost { changes.send(state) }
        if hasDecided { isDecided.fire() }
        startTimer()
    }

    private func startTimer() {
        guard let connection = connection.withLock({ $0 }),
            shared.withLock({ $0.timer == nil && !$0.isClosed && $0.life.failure == nil })
        else {
            return
        }
        let timer = PulseTimer(connection, every: 250) { [weak self] in self?.see(.time) }
        shared.withLock { $0.timer = timer }
    }

    private func perform(_ action: MicrophoneLife.Action) {
        switch action {
        case .tell(let words): notices.send(words)
        case .close(let key): shared.withLock { $0.streams.removeValue(forKey: key) }?.close()
        case .open(let key, let source): open(key, source)
        }
    }

    private func open(_ key: MicrophoneLife.Key, _ source: String) {
        guard let connection = connection.withLock({ $0 }) else { return }
        do {
            let stream = try PulseRecordStream(
                connection, source: source, rate: AudioSourcePlan.sampleRate, channels: channels, latency: Self.portion
            ) { [weak self] event in self?.receive(event, key) }
            shared.withLock { $0.streams[key] = stream }
        } catch {
            see(.ended(key, error, fresh: connection.refresh()))
        }
    }

    private func receive(_ event: PulseRecordStream.Event, _ key: MicrophoneLife.Key) {
        switch event {
        case .ready:
            let stream = shared.withLock { $0.streams[key] }
            see(.ready(key, index: stream?.index))
            // What was known before says nothing of the stream, nor of a source that was asleep.
            _ = connection.withLock { $0 }?.refresh()
        case .samples(let samples): receive(samples, key)
        case .suspended(let isSuspended): see(.suspended(key, isSuspended))
        case .ended(let error):
            shared.withLock { $0.streams[key] = nil }
            guard let connection = connection.withLock({ $0 }) else { return }
            see(.ended(key, error, fresh: connection.refresh()))
        }
    }

    /// The last sample has been taken by now at the latest, so the stamp is late or right, and never early.
    private func receive(_ samples: [Float], _ key: MicrophoneLife.Key) {
        let now = Pipeline.systemTime
        let length = MediaTime(samples: samples.count / channels, rate: AudioSourcePlan.sampleRate)
        see(.samples(key))
        let (isRecorded, isOther) = shared.withLock { state in
            guard !state.isClosed, state.life.records(key) else { return (false, false) }
            defer { state.received = key }
            return (true, state.received != nil && state.received != key)
        }
        guard isRecorded else { return }
        onArrival(AudioArrival(samples: samples, time: now - length - baseTime, isOtherDevice: isOther))
    }
}

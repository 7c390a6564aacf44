import CPulse
import Threads

/// A connection to the sound server that `PULSE_SERVER`, or libpulse's own rules, name: PulseAudio's or pipewire-pulse.
///
/// It has a thread of libpulse's own, on which everything is told and everything but ``open()``, ``close()`` and
/// ``perform(_:)`` is to be called. So what is told needs no lock, and nobody ever waits for the server: a server that hangs
/// tells nothing, and whoever needs an answer in time looks at the clock.
package final class PulseConnection: @unchecked Sendable {
    /// What is told.
    package enum Event: Sendable {
        /// All that the server says of its sources: at first, and whenever something of it has changed.
        case snapshot(PulseSnapshot)
        /// The connection could not be made, or has ended. Nothing is told after it.
        case failed(PulseError)
    }

    /// Whether there is a libpulse to connect with.
    package static var isPossible: Bool { PulseLibrary.shared != nil }

    let pulse: PulseLibrary
    let context: OpaquePointer
    let loop: OpaquePointer
    private let onEvent: @Sendable (Event) -> Void
    /// What the answers so far make of the question under way.
    private var gathering = PulseSnapshot()
    /// Whether an answer is under way, and whether something has changed meanwhile.
    private var (isAsking, isOutdated) = (false, false)
    private var serial = 0
    private var (isOpened, isClosed) = (false, false)

    /// - Parameters:
    ///   - program: what people see in their sound settings.
    ///   - onEvent: called on the connection's thread; it must not block.
    /// - Throws: ``PulseError`` where libpulse is not installed, or memory is short.
    package init(program: String, onEvent: @escaping @Sendable (Event) -> Void) throws(PulseError) {
        guard let pulse = PulseLibrary.shared else { throw .notInstalled }
        guard let loop = pulse.makeLoop() else { throw PulseError(PA_ERR_INTERNAL.rawValue) }
        guard let context = pulse.makeContext(pulse.loopFunctions(loop), program) else {
            pulse.freeLoop(loop)
            throw PulseError(PA_ERR_INTERNAL.rawValue)
        }
        pulse.setLoopName(loop, "rushes-pulse")
        (self.pulse, self.loop, self.context, self.onEvent) = (pulse, loop, context, onEvent)
    }

    deinit {
        let ends = Ends(pulse: pulse, loop: loop, context: context, isClosed: isClosed)
        // Its own thread cannot wait for its own end: so it is where an event held the last reference.
        guard pulse.isOnLoop(loop) != 0 else { return ends.close() }
        ends.disconnect()
        OwnThread.run("rushes-pulse-end") {
            Ends(pulse: ends.pulse, loop: ends.loop, context: ends.context, isClosed: true).close()
        }
    }

    /// What is left of a connection when nobody refers to it.
    private struct Ends: @unchecked Sendable {
        let pulse: PulseLibrary
        let loop: OpaquePointer
        let context: OpaquePointer
        let isClosed: Bool

        func disconnect() {
            pulse.setContextStateCallback(context, nil, nil)
            pulse.setSubscriptionCallback(context, nil, nil)
            pulse.disconnect(context)
        }

        func close() {
            pulse.lock(loop)
            if !isClosed { disconnect() }
            pulse.unlock(loop)
            pulse.stopLoop(loop)
            pulse.releaseContext(context)
            pulse.freeLoop(loop)
        }
    }

    /// Connects, on a thread that may block: libpulse may start a server, where its settings say so. Once is enough, more does
    /// nothing.
    package func open() {
        perform {
            guard !isClosed, !isOpened else { return }
            isOpened = true
            let this = Unmanaged.passUnretained(self).toOpaque()
            pulse.setContextStateCallback(context, { _, data in PulseConnection.from(data)?.stateChanged() }, this)
            pulse.setSubscriptionCallback(context, { _, _, _, data in PulseConnection.from(data)?.refresh() }, this)
            // What fails at once is told by the change of the state.
            _ = pulse.connect(context, nil, PA_CONTEXT_NOFLAGS, nil)
            if pulse.startLoop(loop) < 0 { onEvent(.failed(PulseError(PA_ERR_INTERNAL.rawValue))) }
        }
    }

    /// Ends the connection and its thread, and waits for what is being told. Never on the connection's own thread.
    package func close() {
        perform {
            guard !isClosed else { return }
            isClosed = true
            Ends(pulse: pulse, loop: loop, context: context, isClosed: false).disconnect()
        }
        pulse.stopLoop(loop)
    }

    /// Runs the closure as if on the connection's thread, from any other.
    package func perform<Result>(_ body: () -> Result) -> Result {
        pulse.lock(loop)
        defer { pulse.unlock(loop) }
        return body()
    }

    /// Asks for all that the server has, once more if an answer is under way.
    ///
    /// - Returns: the serial number of the first snapshot that is sure to be later than now.
    @discardableResult
    package func refresh() -> Int {
        guard !isClosed, pulse.contextState(context) == PA_CONTEXT_READY else { return serial + 1 }
        guard !isAsking else {
            isOutdated = true
            return serial + 1
        }
        serial += 1
        (isAsking, isOutdated) = (true, false)
        gathering = PulseSnapshot()
        gathering.serial = serial
        let this = Unmanaged.passUnretained(self).toOpaque()
        // A server answers in the order of the questions, so the last answer completes the snapshot.
        release(
            pulse.askForSources(
                context,
                { _, info, _, data in
                    guard let info, let this = PulseConnection.from(data) else { return }
                    if let source = PulseSource(info.pointee, this.pulse) { this.gathering.sources.append(source) }
                }, this))
        release(
            pulse.askForSourceOutputs(
                context,
                { _, info, _, data in
                    guard let info, let this = PulseConnection.from(data) else { return }
                    this.gathering.outputs.append(PulseSourceOutput(info.pointee, this.pulse))
                }, this))
        release(
            pulse.askForServer(
                context,
                { _, info, data in
                    let (source, sink) = (info?.pointee.default_source_name, info?.pointee.default_sink_name)
                    PulseConnection.from(data)?.complete(
                        defaultSource: source.map { String(cString: $0) },
                        defaultLoudspeaker: sink.map { String(cString: $0) })
                }, this))
        return serial
    }

    private func complete(defaultSource: String?, defaultLoudspeaker: String?) {
        // pipewire-pulse gives this name while there is no default.
        gathering.defaultSource = defaultSource == "@DEFAULT_SOURCE@" ? nil : defaultSource
        gathering.defaultLoudspeaker = defaultLoudspeaker
        let snapshot = gathering
        isAsking = false
        if isOutdated { refresh() }
        onEvent(.snapshot(snapshot))
    }

    private func stateChanged() {
        switch pulse.contextState(context) {
        case PA_CONTEXT_READY:
            let mask = [PA_SUBSCRIPTION_MASK_SOURCE, PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT, PA_SUBSCRIPTION_MASK_SERVER]
            let all = mask.reduce(0) { $0 | $1.rawValue }
            release(pulse.subscribe(context, pa_subscription_mask_t(all), nil, nil))
            refresh()
        case PA_CONTEXT_FAILED:
            guard !isClosed else { return }
            onEvent(.failed(PulseError(of: self)))
        default: break
        }
    }

    private func release(_ operation: OpaquePointer?) {
        // Without one the connection has just ended, which is told by itself.
        if let operation { pulse.releaseOperation(operation) }
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> PulseConnection? {
        data.map { Unmanaged<PulseConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}

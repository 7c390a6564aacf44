import GStreamer
import Threads

/// Finds out when all streams of a file have been named, and when the first of their packets begins.
final class StreamArrival: Sendable {
    private struct State {
        /// Packets that have to come before the streams that are there are taken for all.
        var missing = 1
        var firstPacket: Nanoseconds?
    }

    /// Fired once they have been.
    let hasAll = AsyncSignal()
    private let state = Locked(State())

    /// Pictures and sound of a program stream may lie some seconds apart in the file (ISO/IEC 13818-1, 2.5.2: one second).
    private static let programStreamPackets = 100

    /// When the first packet of picture or sound begins, whether a decoder gives anything for it or not.
    var firstPacket: Nanoseconds? { state.withLock { $0.firstPacket } }

    /// Looks at what `parsebin` puts into itself.
    ///
    /// - Parameter queue: what all streams go through.
    func watch(_ element: Element, _ queue: Element?) {
        // It finds its streams on the way (1.22), and parsebin lets the first ones flow before it has found the others. They have
        // room until then.
        guard element.factoryName == "mpegpsdemux" else { return }
        state.withLock { $0.missing = Self.programStreamPackets }
        try? queue?.set("max-size-buffers", to: .int(2 * Self.programStreamPackets))
        element.onNoMorePads { [hasAll] in hasAll.fire() }
    }

    /// Looks at one of `parsebin`'s outputs.
    func watch(_ pad: Pad) {
        let (state, hasAll) = (state, hasAll)
        let isText = (pad.currentCaps ?? pad.possibleCaps).flatMap(SourceStream.kind) == .text
        let isFirst = Locked(true)
        // parsebin (1.22) gives no sign that it has named all streams; but it holds all of them until it has.
        _ = pad.addBufferProbe { buffer in
            let time = isText ? nil : pad.movieTime(of: buffer)
            let counts = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            let isMissing = state.withLock { state in
                if counts, let time { state.firstPacket = min(state.firstPacket ?? time, time) }
                state.missing -= 1
                return state.missing > 0
            }
            if isMissing { return .pass }
            hasAll.fire()
            return .remove
        }
        _ = pad.addEndOfStreamProbe {
            hasAll.fire()
            return .remove
        }
    }
}

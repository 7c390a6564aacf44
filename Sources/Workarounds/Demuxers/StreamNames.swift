package import GStreamer

/// GStreamer 1.22, parsebin and flvdemux: goes with the version in which they say when all streams are named; `WorkaroundTests` “flvdemux in parsebin, that all streams are named”.
///
/// Which streams the demuxers of a file have named, and how many of them have come out of `parsebin`.
package struct StreamNames: Sendable {
    private struct Demuxer {
        var count = 0
        var isComplete = false
        var holdsTwoAtMost: Bool
    }

    private struct Stream {
        var caps: Caps?
        var identifier: String?
    }

    private var demuxers: [String: Demuxer] = [:]
    private var named: [Stream] = []
    private var flowing: Set<String> = []
    /// How many have come out.
    package private(set) var cameOut = 0

    /// Demuxers that hold one stream of frames and one of audio, and say only of both that these are all: flvdemux (1.22) never
    /// says it inside of `parsebin`.
    package static let saysNothing: Set = ["flvdemux", "dvdemux"]

    package init() {}

    package mutating func begin(_ demuxer: String, holdsTwoAtMost: Bool) {
        demuxers[demuxer] = Demuxer(holdsTwoAtMost: holdsTwoAtMost)
    }

    package mutating func add(_ caps: Caps?, _ identifier: String?, of demuxer: String) {
        named.append(Stream(caps: caps, identifier: identifier))
        guard var owner = demuxers[demuxer] else { return }
        owner.count += 1
        owner.isComplete = owner.isComplete || (owner.holdsTwoAtMost && owner.count == 2)
        demuxers[demuxer] = owner
    }

    /// It names no more.
    package mutating func end(_ demuxer: String) { demuxers[demuxer]?.isComplete = true }

    /// One has come out of `parsebin`; its identifier may not be known yet.
    package mutating func came(_ identifier: String?) {
        cameOut += 1
        flows(identifier)
    }

    package mutating func flows(_ identifier: String?) { if let identifier { flowing.insert(identifier) } }

    /// Each demuxer makes several streams of one.
    private var expected: Int { demuxers.values.reduce(1) { $0 + $1.count - 1 } }

    /// Whether all that were named have come out, and no more will be named.
    package var areComplete: Bool { demuxers.values.allSatisfy(\.isComplete) && cameOut >= expected }

    package var identifiers: [String] { named.compactMap(\.identifier) }

    /// Those that have been named and have not come out.
    package var silent: [Caps] {
        guard cameOut < expected else { return [] }
        return named.filter { stream in
            guard let identifier = stream.identifier, !flowing.contains(identifier) else { return false }
            // What another demuxer took apart has come out in parts, whose identifiers begin with its own.
            return !named.contains { $0.identifier?.hasPrefix(identifier + "/") ?? false }
        }.compactMap(\.caps)
    }
}

import MediaTypes

/// A camera's newest frames, and who waits for which of them. Pure.
///
/// A photo is the frame that was to be seen when it was asked for: the last one whose presentation timestamp is not later. That is
/// known only when a later one has come, as frames are under way for a while.
struct FrameRing<Frame: Sendable>: Sendable {
    struct Timed: Sendable {
        let frame: Frame
        /// Running time.
        let time: MediaTime
    }

    struct Delivery: Sendable {
        let request: Int
        let frame: Timed
        /// Whether the request has all its frames with this one.
        let isLast: Bool
    }

    private struct Request: Sendable {
        let number: Int
        let time: MediaTime
        var remaining: Int
        var hasBegun = false
    }

    private var frames: [Timed] = []
    private var requests: [Request] = []
    private var numbers = 0
    /// Whether the newest frame has come since what was due was told.
    private var isNew = false
    /// How many frames are kept.
    var depth: Int

    init(depth: Int) { self.depth = depth }

    var newest: Timed? { frames.last }
    var isWaitedFor: Bool { !requests.isEmpty }

    /// - Parameters:
    ///   - time: the instant that is meant.
    ///   - count: so many frames that follow each other, the first one of that instant.
    mutating func ask(at time: MediaTime, count: Int) -> Int {
        numbers += 1
        requests.append(Request(number: numbers, time: time, remaining: count))
        return numbers
    }

    /// Takes a frame. Those that are due then are told by ``due(_:)``.
    mutating func append(_ frame: Frame, time: MediaTime) {
        frames.append(Timed(frame: frame, time: time))
        isNew = true
    }

    /// What is due since the last call, each frame once.
    ///
    /// - Parameter space: how many frames more may be held; the first one of each request has its space already. Where there is none, a
    ///   frame is passed over and the next one is taken.
    mutating func due(_ space: inout Int) -> [Delivery] {
        var deliveries: [Delivery] = []
        guard let newest else { return [] }
        defer { isNew = false }
        for index in requests.indices {
            let request = requests[index]
            var taken: ArraySlice<Timed> = []
            if request.hasBegun {
                taken = frames.suffix(isNew ? 1 : 0)
            } else if newest.time > request.time {
                taken = frames[(frames.lastIndex { $0.time <= request.time } ?? 0)...]
            }
            for frame in taken where requests[index].remaining > 0 {
                if requests[index].hasBegun {
                    guard space > 0 else { continue }
                    space -= 1
                }
                requests[index].hasBegun = true
                requests[index].remaining -= 1
                deliveries.append(
                    Delivery(request: request.number, frame: frame, isLast: requests[index].remaining == 0))
            }
        }
        requests.removeAll { $0.remaining == 0 }
        if frames.count > depth { frames.removeFirst(frames.count - depth) }
        return deliveries
    }

    /// The last frame that came, for a request that no later one has come for in time; `nil` where it has been answered.
    ///
    /// - Parameter limit: how much older than the instant it may be.
    mutating func settle(_ number: Int, limit: MediaTime) -> Delivery? {
        guard let index = requests.firstIndex(where: { $0.number == number }), !requests[index].hasBegun, let newest,
            newest.time + limit >= requests[index].time
        else { return nil }
        requests[index].hasBegun = true
        requests[index].remaining -= 1
        defer { requests.removeAll { $0.remaining == 0 } }
        return Delivery(request: number, frame: newest, isLast: requests[index].remaining == 0)
    }

    mutating func cancel(_ number: Int) { requests.removeAll { $0.number == number } }

    /// Forgets frames and requests.
    mutating func clear() { (frames, requests) = ([], []) }
}

import MediaTypes

/// Several movies' audio on one row of samples, added up. Pure; frames are counted from the main movie's beginning.
struct AudioMix {
    /// Samples that wait, and where the first of them lies.
    private struct Queue {
        var begin = 0
        var samples: [Float] = []
        var hasBegun = false
        var hasEnded = false

        var end: Int { begin + samples.count / AudioMix.channels }
    }

    static let rate = 48_000
    static let channels = 2
    /// Frames in what is handed out at once.
    static let block = 1024
    /// What a time may be off before it is believed: containers round to milliseconds, and clocks run away by as little.
    private static let tolerance = rate / 100

    private var queues: [Queue]
    /// Where the next block begins; `nil` until all have begun or ended.
    private(set) var position: Int?

    init(count: Int) { queues = Array(repeating: Queue(), count: count) }

    /// Which movie's audio is needed for the next block; `nil` where none is.
    var needed: Int? {
        queues.firstIndex { queue in
            !queue.hasEnded && (!queue.hasBegun || position.map { queue.end < $0 + Self.block } ?? false)
        }
    }

    /// - Parameters:
    ///   - samples: interleaved.
    ///   - time: of the first one in the main movie.
    mutating func append(_ samples: [Float], of movie: Int, at time: MediaTime) {
        let frame = Int((time.seconds * Double(Self.rate)).rounded())
        let end = frame + samples.count / Self.channels
        // What one has before the main movie begins may be hours.
        if end <= position ?? 0 {
            queues[movie] = Queue(begin: end, samples: [], hasBegun: true, hasEnded: false)
            return begin()
        }
        if !queues[movie].hasBegun {
            (queues[movie].hasBegun, queues[movie].begin) = (true, frame)
        } else if frame - queues[movie].end > Self.tolerance {
            let silence = (frame - queues[movie].end) * Self.channels
            queues[movie].samples += [Float](repeating: 0, count: silence)
        }
        let twice = queues[movie].end - frame > Self.tolerance ? (queues[movie].end - frame) * Self.channels : 0
        queues[movie].samples += samples.dropFirst(twice)
        begin()
    }

    /// Nothing more comes of a movie.
    mutating func end(_ movie: Int) {
        queues[movie].hasEnded = true
        begin()
    }

    private mutating func begin() {
        guard position == nil, queues.allSatisfy({ $0.hasBegun || $0.hasEnded }) else { return }
        position = queues.filter(\.hasBegun).map(\.begin).min().map { max(0, $0) }
    }

    /// The next block and where it lies, if nothing is ``needed``; `nil` at the end.
    mutating func next() -> (samples: [Float], position: Int)? {
        guard let position, let end = queues.filter(\.hasBegun).map(\.end).max(), end > position else { return nil }
        let count = min(Self.block, end - position)
        var mixed = [Float](repeating: 0, count: count * Self.channels)
        for index in queues.indices where queues[index].hasBegun {
            let queue = queues[index]
            let (from, to) = (max(queue.begin, position), min(queue.end, position + count))
            if from < to {
                for place in from * Self.channels..<to * Self.channels {
                    mixed[place - position * Self.channels] += queue.samples[place - queue.begin * Self.channels]
                }
            }
            let done = min(max(0, position + count - queue.begin), queue.samples.count / Self.channels)
            queues[index].samples.removeFirst(done * Self.channels)
            queues[index].begin += done
        }
        self.position = position + count
        return (mixed.map { min(1, max(-1, $0)) }, position)
    }
}

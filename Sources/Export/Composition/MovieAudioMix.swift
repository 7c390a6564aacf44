import MediaTypes

/// Several movies' audio on one row of samples, added up. Pure; frames are counted from the main movie's beginning.
struct MovieAudioMix {
    /// Samples that wait, interleaved.
    private struct Piece {
        var begin: Int
        var samples: [Float]

        var end: Int { begin + samples.count / MovieAudioMix.channels }
    }

    /// What waits of one movie, in order. A pause of hours is no samples, only the next piece's beginning.
    private struct Queue {
        var pieces: [Piece] = []
        /// Where the first piece began, and where the last one ends.
        var begin = 0
        var end = 0
        var hasBegun = false
        var hasEnded = false
    }

    static let rate = 48_000
    static let channels = 2
    static let format = MediaReader.MixFormat(rate: rate, channels: channels)
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
            queues[movie] = Queue(begin: end, end: end, hasBegun: true)
            return begin()
        }
        if !queues[movie].hasBegun {
            (queues[movie].hasBegun, queues[movie].begin, queues[movie].end) = (true, frame, frame)
        }
        let gap = frame - queues[movie].end
        let twice = gap < -Self.tolerance ? -gap * Self.channels : 0
        let piece = Piece(
            begin: gap > Self.tolerance ? frame : queues[movie].end, samples: Array(samples.dropFirst(twice)))
        if !piece.samples.isEmpty {
            queues[movie].pieces.append(piece)
            queues[movie].end = piece.end
        }
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
        for index in queues.indices {
            for piece in queues[index].pieces.prefix(while: { $0.begin < position + count }) {
                let (from, to) = (max(piece.begin, position), min(piece.end, position + count))
                guard from < to else { continue }
                for place in from * Self.channels..<to * Self.channels {
                    mixed[place - position * Self.channels] += piece.samples[place - piece.begin * Self.channels]
                }
            }
            let done = queues[index].pieces.prefix { $0.end <= position + count }.count
            queues[index].pieces.removeFirst(done)
        }
        self.position = position + count
        return (mixed.map { min(1, max(-1, $0)) }, position)
    }
}

import GStreamer

/// Several microphones in one track: the tracks that ``AudioTrack`` has placed in the movie, added sample by sample. Pure.
///
/// Each has its clock corrected by then and is without a gap, so what belongs to the same moment has the same place. What one has not
/// reached yet waits for it. What is too loud together is cut off at full scale, so that a voice stays as loud as it was.
struct MicrophoneMix: Sendable {
    /// Of the mix: those of the microphone that has most.
    let channels: Int
    private let rate: Int
    private var inputs: [Input]
    /// The sum, from a place in the movie on.
    private var (sum, position): ([Float], Int) = ([], 0)

    private struct Input {
        let channels: Int
        /// How far it has come in the movie.
        var reached = 0
        var isOver = false
    }

    /// - Parameter channels: of each microphone.
    init(channels: [Int], rate: Int) {
        self.channels = channels.max() ?? 1
        (inputs, self.rate) = (channels.map { Input(channels: $0) }, rate)
    }

    /// Takes what follows of one microphone; returns what all have reached.
    mutating func take(_ buffers: [Buffer], of input: Int) -> [Buffer] {
        for buffer in buffers {
            guard let samples = try? buffer.withBytes({ Array($0.bindMemory(to: Float.self)) }) else { continue }
            add(samples, of: input)
        }
        return reached()
    }

    /// No more comes of one microphone; the others wait for it no longer.
    mutating func end(_ input: Int) -> [Buffer] {
        inputs[input].isOver = true
        return reached()
    }

    private mutating func add(_ samples: [Float], of index: Int) {
        let (own, begin) = (inputs[index].channels, inputs[index].reached - position)
        let frames = samples.count / own
        let missing = (begin + frames) * channels - sum.count
        if missing > 0 { sum.append(contentsOf: repeatElement(0, count: missing)) }
        let (places, width) = (Self.places(own, in: channels), channels)
        sum.withUnsafeMutableBufferPointer { sum in
            for (channel, outputs) in places.enumerated() {
                for place in outputs {
                    for frame in 0..<frames { sum[(begin + frame) * width + place] += samples[frame * own + channel] }
                }
            }
        }
        inputs[index].reached += frames
    }

    /// The output channels of each channel of a microphone, in GStreamer's order: front left and right, center, bass, rear left and right.
    /// A single channel goes to both sides, and four have no center.
    static func places(_ own: Int, in all: Int) -> [[Int]] {
        if own == 1 { return [Array(0..<min(2, all))] }
        let center = all == 4 ? [0, 1] : [2]
        return switch own {
        case all: (0..<own).map { [$0] }
        case 3: [[0], [1], center]
        case 4: [[0], [1], [all - 2], [all - 1]]
        case 5: [[0], [1], center, [all - 2], [all - 1]]
        default: (0..<own).map { [$0] }
        }
    }

    private mutating func reached() -> [Buffer] {
        let isLast = inputs.allSatisfy(\.isOver)
        let common = isLast ? inputs.map(\.reached).max() : inputs.filter { !$0.isOver }.map(\.reached).min()
        let frames = (common ?? position) - position
        guard frames >= AudioTrack.fewest || (isLast && frames > 0) else { return [] }
        let samples = sum.prefix(frames * channels).map { min(max($0, -1), 1) }
        sum.removeFirst(frames * channels)
        let start = MediaTime(samples: position, rate: rate)
        position += frames
        let duration = MediaTime(samples: position, rate: rate) - start
        return [samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: start, duration: duration) }]
    }
}

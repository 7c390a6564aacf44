import GStreamer
import MediaTypes
import TestSupport
import Testing
import Threads

@testable import Export

@Suite struct MovieAudioMixTests {
    /// Both channels of so many frames.
    private func samples(_ count: Int, _ value: Float) -> [Float] { [Float](repeating: value, count: 2 * count) }

    /// The left channel of all that comes out, from the first block's place on.
    private func rest(_ mix: inout MovieAudioMix) -> (begin: Int?, samples: [Float]) {
        var (begin, all): (Int?, [Float]) = (nil, [])
        while mix.needed == nil, let (samples, position) = mix.next() {
            begin = begin ?? position
            all += stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        }
        return (begin, all)
    }

    private func time(_ frame: Int) -> MediaTime { MediaTime(seconds: Double(frame) / Double(MovieAudioMix.rate)) }

    @Test func `samples of one time are added up, and those of one alone stay`() {
        var mix = MovieAudioMix(count: 2)
        mix.append(samples(3000, 0.25), of: 0, at: .zero)
        mix.append(samples(1000, 0.5), of: 1, at: time(1500))
        for movie in 0..<2 { mix.end(movie) }
        let (begin, all) = rest(&mix)
        #expect(begin == 0 && all.count == 3000)
        #expect(all[..<1500].allSatisfy { $0 == 0.25 } && all[1500..<2500].allSatisfy { $0 == 0.75 })
        #expect(all[2500...].allSatisfy { $0 == 0.25 })
    }

    @Test func `what is too loud is cut off, and gaps are silent`() {
        var mix = MovieAudioMix(count: 2)
        mix.append(samples(1000, 0.75), of: 0, at: .zero)
        mix.append(samples(1000, 0.75), of: 0, at: time(3000))
        mix.append(samples(1000, -1), of: 1, at: time(3000))
        for movie in 0..<2 { mix.end(movie) }
        let all = rest(&mix).samples
        #expect(all.count == 4000 && all[..<1000].allSatisfy { $0 == 0.75 } && all[1000..<3000].allSatisfy { $0 == 0 })
        #expect(all[3000...].allSatisfy { $0 == -0.25 })
    }

    @Test func `hours before the main movie are not kept, and one that is missing holds up none`() {
        var mix = MovieAudioMix(count: 3)
        mix.end(2)
        mix.append(samples(1024, 0.5), of: 0, at: .zero)
        for second in -3600..<0 { mix.append(samples(MovieAudioMix.rate, 0.1), of: 1, at: second * MediaTime.second) }
        #expect(mix.needed == 1)
        mix.append(samples(1024, 0.25), of: 1, at: .zero)
        let all = rest(&mix).samples
        #expect(all.count == 1024 && all.allSatisfy { $0 == 0.75 })
    }

    @Test func `times that are a little off move nothing`() {
        var mix = MovieAudioMix(count: 1)
        for block in 0..<100 { mix.append(samples(480, 0.5), of: 0, at: time(480 * block + block % 3 * 20)) }
        mix.end(0)
        let all = rest(&mix).samples
        #expect(all.count == 48_000 && all.allSatisfy { $0 == 0.5 })
    }

    /// Of more than any memory holds.
    @Test func `a pause is no samples`() {
        var mix = MovieAudioMix(count: 2)
        mix.append(samples(1000, 0.25), of: 0, at: .zero)
        mix.append(samples(1000, 0.5), of: 0, at: 10_000_000 * MediaTime.second)
        mix.append(samples(3000, 0.5), of: 1, at: .zero)
        let first = mix.next()?.samples, second = mix.next()?.samples
        #expect(first?.prefix(2000).allSatisfy { $0 == 0.75 } == true && first?.count == 2 * MovieAudioMix.block)
        #expect(second?.allSatisfy { $0 == 0.5 } == true && second?.count == 2 * MovieAudioMix.block)
    }

    /// One movie's audio, whose second piece a damaged file puts a day later.
    private final class Damaged: SampleSource {
        private let left = Locked<[MediaTime]>([0, 86_400 * MediaTime.second, 2048 * MediaTime.second / 48_000])

        func discardSamples() {}

        func pull(within _: Duration) -> AppSink.Pulled {
            guard let time = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return .end }
            let buffer = [Float](repeating: 0.5, count: 2048).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: time, duration: 1024 * MediaTime.second / 48_000)
            }
            return .sample(Sample(buffer, Caps("audio/x-raw", [:])))
        }
    }

    @Test func `a time that a damaged file made up is not waited for`() {
        let mixed = MixedSamples(
            [.init(samples: Damaged(), place: InsetPlace(), duration: .second) { .zero }], until: nil)
        var frames = 0
        while frames < 100_000, case .sample(let sample) = mixed.pull(within: .seconds(1)) {
            frames += (sample.buffer?.byteCount ?? 0) / 8
        }
        #expect(frames == 3072)
    }
}

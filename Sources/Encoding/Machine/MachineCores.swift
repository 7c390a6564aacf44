import Foundation
import GStreamer

/// The cores that encoders can be given.
package struct MachineCores: Sendable, Equatable {
    /// How many there are.
    package var count: Int
    /// How many of them others leave free.
    package var free: Double
    /// How fast one is beside the one of the encoder tables' costs; 1 is as fast.
    package var speed: Double

    /// Without `free` all cores are free.
    package init(count: Int, free: Double? = nil, speed: Double = 1) {
        (self.count, self.free, self.speed) = (count, min(Double(count), free ?? Double(count)), speed)
    }

    /// How many cores this process may run on: in a container, in a cluster's task or by `taskset` fewer than the machine has.
    package static var available: Int {
        // Of a process that is tied to some, Foundation counts all.
        let all = ProcessInfo.processInfo.activeProcessorCount
        return max(1, min(all, ProcessorTimes.now?.cores ?? all))
    }

    /// This machine's, as others use them just now.
    package static var now: Self {
        Self(count: available, free: ProcessorWatch.shared.freeCores, speed: MachineSpeed.relative)
    }

    /// How many this machine has, and how many of them others leave free just now; `nil` where that is not known.
    package static var inUse: (count: Int, free: Double)? {
        ProcessorWatch.shared.freeCores.map { (available, $0) }
    }

    /// This machine's, whoever else uses them.
    package static var all: Self { Self(count: available, speed: MachineSpeed.relative) }
}

/// How fast a core of this machine is beside one on which the encoder tables' costs were measured.
///
/// The yardstick is GStreamer's own resampler: compiled and vectorised as encoders are, and there on every machine. A
/// single-board computer comes out at about a fifth, an emulated machine far below a tenth.
enum MachineSpeed {
    /// Measured once in a process; takes about 10 ms on the reference machine.
    static let relative: Double = measured() ?? 1

    /// Seconds that the work below takes on the reference machine, two cores of a Zen 3 server, at the best of its tries.
    private static let reference = 0.00077
    private static let tries = 5
    /// Frames of stereo audio.
    private static let work = 12_000

    private static func measured() -> Double? {
        guard let resampler = try? AudioResampler(channels: 2, inputRate: 10_000_000, outputRate: 10_001_000) else {
            return nil
        }
        let audio = [Float](repeating: 0.25, count: work * 2)
        var best = Double.infinity
        for _ in 0..<tries {
            // This thread's own time: a machine that is busy with something else is no slower, it only has less left.
            let begin = threadTime
            _ = audio.withUnsafeBufferPointer { resampler.process($0) }
            best = min(best, threadTime - begin)
        }
        // A faster machine is believed up to twice the speed: what the yardstick says of one encoder it may not of another.
        return best > 0 ? min(2, reference / best) : nil
    }

    /// Seconds that this thread has run.
    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

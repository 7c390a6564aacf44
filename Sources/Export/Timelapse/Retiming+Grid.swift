import GStreamer
import MediaTypes
import Threads

extension Retiming {
    /// Takes the frames of a timelapse of all that are decoded.
    ///
    /// - Parameter shutter: see ``GridSampler``.
    static func sampling(_ grid: TimelapseGrid, shutter: Double = 0) -> Retiming {
        let sampler = Locked(GridSampler(grid, shutter: shutter))
        return Retiming(rate: grid.rate) { time in
            sampler.withLock { $0.take(time) }.map { MediaTime(samples: $0, of: grid.rate) }
        }
    }
}

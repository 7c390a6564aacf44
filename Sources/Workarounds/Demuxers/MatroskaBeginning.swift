package import GStreamer
import Threads

/// GStreamer 1.22, matroskademux: goes with the version that takes the earliest packet for the beginning; `WorkaroundTests` “matroskademux, a beginning behind the first packet”.
///
/// When a Matroska file begins: matroskademux (1.22) takes the first packet that it comes across for the beginning, until there is one that
/// begins earlier. Video before audio in the file, as ffmpeg writes it, is then shown earlier by what it begins later, but only up to
/// there.
package final class MatroskaBeginning: Sendable {
    /// The earliest that it has told so far.
    private let earliest = Locked<MediaTime?>(nil)

    package init() {}

    /// When the file's first packet begins, as the file counts; nil of any other.
    package var time: MediaTime? { earliest.withLock { $0 } }

    /// - Parameter element: what `parsebin` puts into itself.
    package func watch(_ element: Element) {
        guard element.factoryName == "matroskademux" else { return }
        element.onPadAdded { [earliest] pad in
            pad.watchSegments { start, time in
                earliest.withLock { $0 = min($0 ?? start - time, start - time) }
            }
        }
    }

    /// Later by what its segment's beginning is too late.
    package func corrected(_ sample: Sample) -> Sample {
        guard let earliest = time, let told = sample.streamBeginning, told > earliest else {
            return sample
        }
        return sample.shifted(by: told - earliest)
    }
}

import GStreamer
import Threads

/// Keeps the audio of transport and program streams that begins before their frames.
///
/// Their demuxers (1.22) call the time 0 at which the first packet begins that they have read whole, of whichever stream. What other
/// streams have before that lies outside of the segment, and parsers drop it. So the segment is made to begin earlier, and all times
/// are later by as much, which nobody minds: they count from the first packet.
enum EarlyPackets {
    /// In nanoseconds: far more than a multiplexer lets streams lie apart.
    private static let longest: MediaTime = 10 * .second

    /// - Parameter element: what `parsebin` puts into itself.
    static func keep(from element: Element) {
        guard ["tsdemux", "mpegpsdemux"].contains(element.factoryName) else { return }
        // One for all streams, as they are to stay in step.
        let lead = Locked<MediaTime?>(nil)
        element.onPadAdded { pad in
            pad.beginSegmentsEarlier { start in
                lead.withLock { lead in
                    let own = lead ?? min(start, longest)
                    lead = own
                    return own
                }
            }
        }
    }
}

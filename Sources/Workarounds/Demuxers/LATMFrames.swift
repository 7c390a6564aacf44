package import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// GStreamer 1.22, aacparse: goes with the version that keeps the first description; `WorkaroundTests` “aacparse, AAC in LATM”.
///
/// Completes the frames of AAC in LATM that come out of a transport stream.
///
/// Most refer to a description before them. GStreamer's parser (1.22, aacparse) forgets the first that it has read, and drops all that refer to
/// it: 0.4 s of what ffmpeg writes, or all of a shorter stream but its first packet.
package enum LATMFrames {
    /// Whether it is AAC in the packets of LATM, as television has it: nothing here takes it out of them but a decoder.
    package static func isLATM(_ caps: Caps) -> Bool { caps.first?["stream-format"]?.stringValue == "loas" }

    /// Likewise, whose times it takes for what they are coded with where they are decoded to twice their rate: each lasts half of what it does,
    /// and so half of each frame would be cut off.
    package static func correctTimes(from element: Element) {
        guard element.factoryName == "aacparse" else { return }
        let last = Locked<(told: MediaTime, corrected: MediaTime)?>(nil)
        _ = element.pad("src")?.addBufferEditor { buffer, caps in
            guard let time = buffer.presentationTime, let duration = buffer.duration,
                let isDoubled = try? buffer.withBytes({ LATMDescription.isDoubled(Array($0.prefix(128))) }), isDoubled,
                // Other AAC may begin with the same bytes.
                caps().map(isLATM) == true
            else { return }
            // What the stream itself tells is right; the parser counts on from there.
            let corrected = last.withLock { last in
                let isCounted = last.map { abs(($0.told + duration - time).nanoseconds) < 1000 } ?? false
                let corrected = isCounted ? last.map { $0.corrected + 2 * duration } ?? time : time
                last = (time, corrected)
                return corrected
            }
            buffer = buffer.retimed(presentationTime: corrected, duration: 2 * duration)
        }
    }

    /// - Parameter element: what `parsebin` puts into itself.
    package static func complete(from element: Element) {
        guard element.factoryName == "tsdemux" else { return }
        element.onPadAdded { pad in
            guard let caps = pad.currentCaps ?? pad.possibleCaps, isLATM(caps) else { return }
            let description = Locked(LATMDescription())
            _ = pad.addBufferEditor { buffer in
                guard let bytes = try? buffer.withBytes({ Array($0) }),
                    let new = description.withLock({ $0.complete(bytes) })
                else { return }
                buffer = buffer.replacingBytes(with: new)
            }
        }
    }
}

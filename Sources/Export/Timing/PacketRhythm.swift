import GStreamer

/// How long packets of audio last whose demuxer does not tell, as those of Matroska and Flash video (1.22) do not: as long as the
/// ones before on the average. A muxer knows it of all but the last, which readers leave out if it lasts for no time.
struct PacketRhythm: Sendable {
    private var last: MediaTime?
    private var (total, count): (MediaTime, Int) = (.zero, 0)

    /// Longer than any packet: what lies between is silence.
    private static let longest: MediaTime = 500 * .millisecond

    /// - Parameter time: when the packet begins.
    mutating func duration(of time: MediaTime?) -> MediaTime? {
        if let time, let last, time > last, time - last < Self.longest {
            total += time - last
            count += 1
        }
        last = time ?? last
        return count > 0 ? total / count : nil
    }
}

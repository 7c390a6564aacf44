/// The loudness of each channel, in decibels relative to full scale (0 is the loudest).
public struct AudioLevel: Sendable, Equatable {
    /// Root mean square.
    public var average: [Double]
    /// The loudest sample.
    public var peak: [Double]

    package init(average: [Double], peak: [Double]) { (self.average, self.peak) = (average, peak) }

    /// The channels of several microphones, one after the other; `nil` where nothing came from any.
    package init?(joining levels: [AudioLevel?]) {
        let known = levels.compactMap(\.self)
        guard !known.isEmpty else { return nil }
        self.init(average: known.flatMap(\.average), peak: known.flatMap(\.peak))
    }
}

import Foundation

/// How far audio and video of a recorded flash-and-tick camera are apart, by `scripts/measure-sync`.
public struct SyncMeasurement: Decodable, Sendable {
    public struct Flash: Decodable, Sendable {
        /// Seconds from the beginning of the movie to the first bright frame.
        public var flash: Double
        /// Seconds to the tick nearest to it.
        public var tick: Double
        /// Milliseconds: audio minus video; positive where the audio is late.
        public var offset: Double
    }

    public var flashes: [Flash]
    /// Flashes without a tick within half a second.
    public var lonely: [Double]
    /// Milliseconds: the middle one of all offsets.
    public var median: Double?
    /// Milliseconds of the first and the last few flashes' medians: what drift there is.
    public var first: Double?
    public var last: Double?

    /// How far two microphones that hear the same are apart, by `scripts/measure-sync --microphones`.
    public struct Microphones: Decodable, Sendable {
        public struct Tick: Decodable, Sendable {
            /// Seconds from the beginning of the movie.
            public var tick: Double
            /// Milliseconds by which the second one is late.
            public var offset: Double
        }

        public var ticks: [Tick]
        /// Milliseconds: the median of the last few offsets.
        public var last: Double?
    }

    public static func microphones(_ file: String) async throws -> Microphones {
        let result = try await Tool.succeed(
            Checkout.script("measure-sync"), ["--microphones", file], limit: .seconds(120))
        return try JSONDecoder().decode(Microphones.self, from: result.output)
    }

    public static func measure(_ file: String) async throws -> SyncMeasurement {
        let result = try await Tool.succeed(Checkout.script("measure-sync"), [file], limit: .seconds(120))
        return try JSONDecoder().decode(SyncMeasurement.self, from: result.output)
    }
}

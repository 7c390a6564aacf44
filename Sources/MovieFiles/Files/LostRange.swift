package import MediaTypes

/// A part of a dead recording's file that could not be brought back.
package struct LostRange: Codable, Hashable, Sendable {
    /// Of its first byte in the recording's file.
    package var offset: UInt64
    /// In bytes.
    package var size: UInt64
    /// When what it held would be played in the recovered movie; the movie's length where it lay behind all that is intact.
    package var time: MediaTime

    var end: UInt64 { offset + size }
}

extension [LostRange] {
    /// In bytes.
    var size: UInt64 { reduce(0) { $0 + $1.size } }
}

extension MovieFileError {
    /// Of a file that has its end, and misses something before it.
    static func lost(at time: MediaTime) -> MovieFileError {
        let tenths = (time.seconds * 10).rounded() / 10
        return .damaged(
            reason:
                "it has its end, but what is damaged at \(tenths) s cannot be brought back; players continue after it"
        )
    }
}

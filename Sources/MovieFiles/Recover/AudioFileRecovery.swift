package import MediaTypes
import SystemPackage

/// What a file of audio alone lacks whose recorder died.
protocol AudioFileRecovery {
    /// Where the audio that is whole ends.
    var dataEnd: UInt64 { get }
    /// What is lost, before that or behind it.
    var losses: [LostRange] { get }
    /// Of each channel.
    var sampleCount: Int { get }
    var duration: MediaTime { get }
    /// Completes a file that ends there.
    func complete(_ file: DescriptorFile) throws(MovieFileError)
}

/// The same, whichever kind of file it is.
struct AudioFileRecoveryPlan: RecoveryPlan {
    private let recovery: any AudioFileRecovery
    var dataEnd: UInt64 { recovery.dataEnd }

    static func isOne(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        if try WaveRecovery.isOne(file) { return true }
        if try FLACRecovery.isOne(file) { return true }
        return try MP3Recovery.isOne(file)
    }

    /// - Throws: `nothingToRecover` where the file is complete, `noSamples`, `unsupported`, `system`.
    init(_ file: ReadableFile) throws(MovieFileError) {
        if try WaveRecovery.isOne(file) {
            recovery = try WaveRecovery(file)
        } else {
            recovery = try FLACRecovery.isOne(file) ? FLACRecovery(file) : MP3Recovery(file)
        }
    }

    func complete(_ file: DescriptorFile) throws(MovieFileError) { try recovery.complete(file) }

    func report(input: FilePath, output: FilePath) -> RecoveredMovie {
        RecoveredMovie(
            input: input, output: output, samples: recovery.sampleCount, losses: recovery.losses,
            duration: recovery.duration)
    }
}

/// What was brought back of a recording whose recorder died.
public struct RecoveredMovie: Codable, Hashable, Sendable {
    /// The dead recording.
    package var input: String
    /// The movie made of it; the same path where it was recovered in place.
    package var output: String
    /// Frames in the movie.
    public var framesRecovered: Int
    /// Packets of compressed audio and frames of PCM audio in the movie.
    package var samplesRecovered: Int
    /// Of samples or fragments that were not whole, in bytes.
    public var bytesLost: UInt64
    /// Where they lay, in the file's order.
    package var losses: [LostRange]
    /// Where in the recording's file another movie begins, which is left out; `nil` where there is none.
    package var otherMovie: UInt64?
    /// Whether nothing was lost.
    package var complete: Bool
    /// As played.
    package var duration: MediaTime

    init(
        input: FilePath, output: FilePath, frames: Int = 0, samples: Int, losses: [LostRange],
        otherMovie: UInt64? = nil, duration: MediaTime
    ) {
        (self.input, self.output) = (input.wireText, output.wireText)
        (framesRecovered, samplesRecovered) = (frames, samples)
        (self.losses, bytesLost, complete) = (losses, losses.size, losses.isEmpty)
        (self.otherMovie, self.duration) = (otherMovie, duration)
    }
}

public import Errors
import FileSystem
import Foundation
public import SystemPackage

/// Makes complete movies of recordings whose recorder died, wherever their files end: of QuickTime and MP4 in fragments, of
/// Matroska as Rushes writes it, and of WAV and FLAC; and of QuickTime and MP4 that were cut off behind their index, as by a
/// download that broke off.
///
/// Every sample that is whole is in the movie. Recordings of other programs in the same form (ISO/IEC 14496-12 movie
/// fragments) are recovered too.
public enum MovieRecovery {
    /// The name beside a recording that its recovered movie gets by default: `take.recovered.mov` for `take.mov`. One that
    /// would be too long for a file loses the end of what it has of the recording's.
    package static func defaultOutput(for input: FilePath) -> FilePath {
        let ending = input.extension.map { "recovered.\($0)" } ?? "recovered"
        var output = input
        output.extension = ending
        let length = output.lastComponent?.withPlatformString { strlen($0) } ?? 0
        guard length > longestName, let stem = input.stem else { return output }
        let room = max(1, longestName - ending.utf8.count - 1)
        return input.removingLastComponent().appending(
            String(decoding: stem.utf8Prefix(room), as: UTF8.self) + "." + ending)
    }

    /// In bytes (`NAME_MAX` of `limits.h`).
    private static let longestName = 255

    /// Recovers a recording: into a new file, with which it shares its data where the file system can do that, or in its own.
    ///
    /// A new file appears under its name once it is complete, and the recording stays as it is. In the recording's own file what is
    /// not whole at its end is cut off, and an index appended; it still plays as before, whatever fails.
    ///
    /// - Parameters:
    ///   - output: The new file; left out, the recording's own.
    ///   - replacing: Whether a file of that name may be replaced.
    ///   - progress: Told now and then which part of the recording is copied, from 0 to 1; never where its data can be
    ///     shared.
    /// - Throws: ``RushesError``: `badInput` for what is no recording, has no samples or needs no recovery, `fileExists`,
    ///   `diskFull`, `writeFailed`.
    @discardableResult
    public static func recover(
        _ input: FilePath, to output: FilePath? = nil, replacing: Bool = false,
        progress: (Double) -> Void = { _ in }
    ) throws(RushesError) -> RecoveredMovie {
        try naming(input) { () throws(MovieFileError) in
            guard let output else { return try recoverInPlace(input) }
            return try ReadableFile.open(input, lock: .shared) { (file) throws(MovieFileError) in
                let plan = try plan(file)
                try NewFile.write(output, replacing: replacing) { (new) throws(MovieFileError) in
                    let size = plan.dataEnd
                    try FileCopy.copy(0..<size, of: file.descriptor, to: 0, of: new) {
                        progress(Double($0) / Double(max(1, size)))
                    }
                    try plan.complete(DescriptorFile(descriptor: new))
                }
                return plan.report(input: input, output: output)
            }
        }
    }

    private static func recoverInPlace(_ path: FilePath) throws(MovieFileError) -> RecoveredMovie {
        try ReadableFile.open(path, .readWrite, lock: .exclusive) { (file) throws(MovieFileError) in
            let plan = try plan(file)
            if let other = plan.otherMovie {
                throw .unsupported(
                    reason: "another movie begins at byte \(other), which would be cut off; recover it into a new file")
            }
            let target = DescriptorFile(descriptor: file.descriptor)
            SpaceReserve.release(file.descriptor)
            if plan.dataEnd < file.size { try target.truncate(to: plan.dataEnd) }
            try plan.complete(target)
            return plan.report(input: path, output: path)
        }
    }

    /// Whether a recording lacks the index that its recorder writes at the end. It may be under way.
    ///
    /// - Throws: ``RushesError``, `badInput` for what is no recording, has no samples or cannot be read.
    public static func isNeeded(_ path: FilePath) throws(RushesError) -> Bool {
        try naming(path) { () throws(MovieFileError) in
            let isOther = try ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool? in
                if try AudioFileRecoveryPlan.isOne(file) { return try isAudioFileBroken(file) }
                guard try MatroskaSegment.isMatroska(file) else { return nil }
                return try !MatroskaRecoveryPlan(file).isComplete
            }
            if let isOther { return isOther }
            do throws(MovieFileError) {
                let info = try MovieInfo(reading: path)
                return info.fragmented || !info.complete
            } catch {
                // Fragments may be damaged that recovery passes over.
                let isRecoverable = try ReadableFile.open(path) { (file) throws(MovieFileError) in
                    (try? IndexRecoveryPlan(file)) != nil
                }
                if isRecoverable { return true }
                throw error
            }
        }
    }

    private static func isAudioFileBroken(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        do { _ = try AudioFileRecoveryPlan(file) } catch {
            switch error {
            case .nothingToRecover, .damaged: return false
            default: throw error
            }
        }
        return true
    }

    private static func plan(_ file: ReadableFile) throws(MovieFileError) -> any RecoveryPlan {
        if try AudioFileRecoveryPlan.isOne(file) { return try AudioFileRecoveryPlan(file) }
        guard try MatroskaSegment.isMatroska(file) else { return try IndexRecoveryPlan(file, endsTexts: true) }
        let plan = try MatroskaRecoveryPlan(file)
        guard plan.isComplete else { return plan }
        guard let first = plan.losses.first(where: { $0.offset < plan.dataEnd }) else { throw .nothingToRecover }
        throw .lost(at: first.time)
    }
}

/// What a dead recording is completed with.
protocol RecoveryPlan {
    /// Where the data ends that is kept.
    var dataEnd: UInt64 { get }
    /// Where another movie begins behind it, which nothing here recovers; `nil` where there is none.
    var otherMovie: UInt64? { get }
    /// Completes a file that ends there.
    func complete(_ file: DescriptorFile) throws(MovieFileError)
    func report(input: FilePath, output: FilePath) -> RecoveredMovie
}

extension RecoveryPlan {
    var otherMovie: UInt64? { nil }
}

extension MatroskaRecoveryPlan: RecoveryPlan {
    func complete(_ file: DescriptorFile) throws(MovieFileError) { try completion.complete(file) }

    func report(input: FilePath, output: FilePath) -> RecoveredMovie {
        let audio = completion.movie.tracks.reduce(0) { $1.handler == "soun" ? $0 + $1.sampleCount : $0 }
        return RecoveredMovie(
            input: input, output: output, frames: completion.movie.frameCount, samples: audio, losses: losses,
            otherMovie: otherMovie, duration: completion.movie.duration)
    }
}

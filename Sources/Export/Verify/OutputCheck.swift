import Encoding
import Errors
import GStreamer
import MediaDecoding
import MovieFiles
import SystemPackage
import Threads

/// Looks at a finished file as a player would, before it gets its name.
struct OutputCheck: Sendable {
    let path: FilePath
    let expected: Expected
    let level: ExportSettings.Verification
    let status: ExportStatus

    /// - Throws: ``RushesError`` with what is wrong.
    func run() async throws {
        guard level != .off else { return }
        let file = try InputFile(path)
        let properties: InputProperties
        do { properties = try await onOwnThread("rushes-verify") { try InputProperties(file) } } catch let error
            as RushesError
        {
            // It has no name yet that would say anything to anybody.
            throw failure(error.description.replacing("\(path.displayName) ", with: "it ").trimmingSuffix("."))
        }
        try checkIndex(properties)
        if expected.areBytesCopied, level == .quick { return }
        var first: NoDecoder?
        // Damaged frames are no reason to leave them out: what was made of them on the way may be.
        for decodable in expected.decodable where first?.isMissing ?? true || !decodable.areFramesUndecodable {
            let check = OutputCheck(path: path, expected: decodable, level: level, status: status)
            do { return try await check.check(file, properties) } catch let error as NoDecoder {
                first = first ?? error
            }
        }
        if let first { throw first.failure }
    }

    private func check(_ file: InputFile, _ properties: InputProperties) async throws {
        if expected.areFramesUndecodable {
            try await countPackets()
            guard expected.undecodable.count < expected.audioTracks else { return }
        }
        for level in [level, .full, .full] {
            do { return try await check(file, properties, level) } catch is NothingThere { continue }
        }
        throw failure("its frames cannot be decoded")
    }

    /// Of frames that nothing decodes, whether they are there.
    private func countPackets() async throws {
        let counts = try await onOwnThread("rushes-verify") { [path] in
            DecodedMedia(reading: path, named: path)?.countedFrames()
        }
        guard let wanted = expected.frames, let count = counts?.first, count != wanted else { return }
        throw failure("it has \(count) frames of \(wanted)")
    }

    /// Nothing here decodes what may be the input's own packets, which says nothing about the copy.
    private struct NoDecoder: Error {
        /// Whether none is installed, or one failed.
        let isMissing: Bool
        /// What is said where they are not.
        let failure: RushesError
    }

    /// No frame was found at a glance, which is no proof: qtdemux (1.22) seeks by decoding times, a track that has ended may
    /// not begin again, and once in hundreds of runs the only frame of a movie did not come out of its decoder.
    private struct NothingThere: Error {}

    private func check(_ file: InputFile, _ properties: InputProperties, _ level: ExportSettings.Verification)
        async throws
    {
        if try await !decodes(file, properties, level, withHardware: true) {
            _ = try await decodes(file, properties, level, withHardware: false)
        }
    }

    /// - Returns: false where hardware failed at it, which says nothing about the file.
    private func decodes(
        _ file: InputFile, _ properties: InputProperties, _ level: ExportSettings.Verification, withHardware: Bool
    ) async throws -> Bool {
        var decoding = MediaReader.Decoding(avoidsHardware: !withHardware)
        if let gif = properties.gif { (decoding.gif, decoding.container) = (gif, properties.container) }
        let reader = try MediaReader(file, filters: MediaReader.Filters(), decoding: decoding) { [expected] stream in
            switch stream.kind {
            case .text: .leaveOut
            case .audio: expected.undecodable.contains(stream.index) ? .leaveOut : .decode
            // Further ones are the input's own bytes.
            case .video: stream.index == 0 && !expected.areFramesUndecodable ? .decode : .leaveOut
            }
        }
        do {
            // A machine that does something else for long is no reason to throw away what was written.
            try await reader.open(within: .seconds(120))
            try await look(at: reader, level, lasting: properties.duration ?? .zero)
            await reader.stop()
            return true
        } catch {
            await reader.stop()
            // It may report an error as well as give nothing, or too little.
            if withHardware, !reader.hardwareDecoders.isEmpty, !(error is CancellationError) { return false }
            guard let error = error as? GStreamerError else { throw error }
            let failure = failure("decoding it fails: \(error.message)")
            guard error.isAboutDecoding else { throw failure }
            throw NoDecoder(isMissing: error.lacksDecoder, failure: failure)
        }
    }

    private func look(
        at reader: MediaReader, _ level: ExportSettings.Verification, lasting duration: MediaTime
    ) async throws {
        guard level == .quick else {
            let counts = try await counted(reader, toEnd: true)
            if hasFrames, counts.frames == 0 { throw NothingThere() }
            return try await check(counts, isWhole: true)
        }
        try await glance(at: reader, toEnd: false)
        guard duration > 4 * .second else { return }
        // Not before now: a decoder that has had nothing yet does not outlive a seek. It leads to a key frame, which may lie ten seconds
        // before: were the frames from there to the end decoded, a short movie would be read a second time.
        let end = min(duration - .second, (expected.lastFrame ?? duration) - .second / 2)
        _ = await reader.seek(to: max(.zero, end), .keyFrameBefore)
        try await glance(at: reader, toEnd: true, most: Self.mostFrames)
    }

    /// So many frames are decoded at most, of those behind the last key frame: with 24 a movie of ten seconds that is encoded at the
    /// quickest took three hundredths longer.
    private static let mostFrames = 8

    private func glance(at reader: MediaReader, toEnd: Bool, most: Int = .max) async throws {
        let counts = try await counted(reader, toEnd: toEnd, most: most)
        if hasFrames, counts.frames == 0 { throw NothingThere() }
        try await check(counts, isWhole: false)
    }

    private func counted(_ reader: MediaReader, toEnd: Bool, most: Int = .max) async throws -> DecodedCounts {
        let status = status
        guard
            let counts = try await DecodedCounts(
                of: reader, toEnd: toEnd, most: most, while: { !status.isStopped })
        else {
            throw failure("its decoder has stalled")
        }
        return counts
    }

    private func checkIndex(_ properties: InputProperties) throws(RushesError) {
        // A GIF's last frame is read for a shorter time than it is shown.
        let rest = properties.gif.map { ($0.wholeLastDuration ?? .zero) - ($0.frames.last?.duration ?? .zero) } ?? .zero
        if let duration = properties.duration.map({ $0 + max(.zero, rest) }) {
            // A packet of audio is written whole, and the last one can reach beyond the end.
            let distance = (duration - expected.duration).length
            guard distance <= max(expected.timingTolerance, 50 * .millisecond) else {
                throw failure(
                    "it lasts \(Self.seconds(duration)) instead of \(Self.seconds(expected.duration)) seconds")
            }
        }
        guard let movie = properties.movie else { return }
        guard movie.video.count == (expected.frames == nil ? 0 : expected.videoTracks),
            movie.audio.count == expected.audioTracks
        else {
            throw failure("it has \(movie.video.count) video tracks and \(movie.audio.count) of audio")
        }
        guard !expected.beginsWithKeyFrame || properties.video?.beginsWithSync != false else {
            throw failure("it does not begin with a key frame")
        }
        for (track, rate) in zip(movie.audio, expected.audioRates) where track.sampleRate != rate {
            throw failure("its audio has \(track.sampleRate) samples a second instead of \(rate)")
        }
        if let frames = expected.frames, let count = movie.video.first?.frameCount, count != frames {
            throw failure("it has \(count) frames of \(frames)")
        }
    }

    /// Whether frames are decoded.
    private var hasFrames: Bool { expected.frames != nil && !expected.areFramesUndecodable }

    private func check(_ counts: DecodedCounts, isWhole: Bool) async throws {
        if hasFrames, let frames = expected.frames {
            guard !isWhole || !expected.showsAllFrames || counts.frames == frames else {
                throw failure("\(counts.frames) of its \(frames) frames can be decoded")
            }
        }
        // A packet or two may be the encoder's delay for decoders that skip the first one, avdec_aac (1.22) among them.
        let isShort = expected.duration < 100 * .millisecond
        guard
            counts.audio > 0 || expected.audioTracks == expected.undecodable.count || isShort
                || (hasFrames && !isWhole)
        else {
            // Of a single packet, as of half a second of ALAC at a low rate, GStreamer (1.22) decodes nothing.
            let length = try await onOwnThread("rushes-verify") { [path] in
                DecodedMedia(reading: path, named: path)?.countedAudio() ?? .zero
            }
            guard length > .zero else { throw failure("its audio cannot be decoded") }
            return
        }
        for (index, wanted) in expected.audioChannels.enumerated() {
            guard let wanted, let channels = counts.channels[index], channels != wanted else { continue }
            throw failure("its audio has \(channels) channels instead of \(wanted)")
        }
    }

    private func failure(_ words: String) -> RushesError {
        RushesError(.notVerified, "The file that was written is damaged: \(words). Nothing was kept.")
    }

    private static func seconds(_ time: MediaTime) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

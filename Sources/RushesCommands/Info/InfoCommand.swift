import ArgumentParser
import Export
import Foundation
import GStreamer
import MediaDecoding
import MediaTypes
import MovieFiles
import Rushes
import SystemPackage
import Threads

/// `rushes info`: what is in a movie.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what is in movies.",
        discussion: """
            QuickTime, MP4, Matroska, WebM and GIF files, also those of a recorder that still runs or was killed. Of others, such as MPEG-TS \
            or AVI, all packets are counted, for 20 seconds at most. Files of subtitles tell how many there are.

            EXAMPLES
              rushes info take.mov
              rushes info card/*.mp4
              rushes info --json take.mov | jq '.video[0].frameCount'
            """)

    @Argument(help: ArgumentHelp("The movies.", valueName: "file"), completion: .file(), transform: localPath)
    var files: [String]
    @Flag(help: "Print one JSON object for each, on a line.") var json = false
    @Flag(help: "Also print GStreamer's own error messages.") var verbose = false

    func run() async throws {
        try await reportingFailures(verbose: verbose, ofEach: FilePath.typed(files)) { path in
            let info = try await readInfo(path)
            if json { return StandardStreams.printResult(try JSONText.line(info)) }
            let text = InfoText(info, isCutOff: !info.complete && Self.isCutOff(info, path))
            for line in text.lines { StandardStreams.printText(line, indent: 11) }
        }
    }

    /// Whether an incomplete movie was complete once: what is being recorded has its index at its end, fragments, or no size yet.
    private static func isCutOff(_ info: MovieInfo, _ path: FilePath) -> Bool {
        switch info.container {
        case "mov", "mp4": !info.fragmented
        case "mkv", "webm": TruncationCheck.declaredSize(path.string) ?? 0 > Int64(clamping: info.size)
        default: false
        }
    }

    private func readInfo(_ path: FilePath) async throws -> MovieInfo {
        if SubtitleFile.isOne(path) {
            return try await onOwnThread("rushes-info") { try MovieInfo(subtitles: path) }
        }
        var info = try await readStreams(path)
        if info.mayBeCompleted {
            let media = try await onOwnThread("rushes-info") { DecodedMedia(reading: path, named: path) }
            info.complete(by: media)
        }
        return info
    }

    /// What none of that makes anything of, through libavformat.
    private func readStreams(_ path: FilePath) async throws -> MovieInfo {
        let decoded = { try await onOwnThread("rushes-info") { MovieInfo(decoding: path) } }
        let isNeeded = try await onOwnThread("rushes-info") {
            DecodedMedia.isNeeded(for: path, named: path) || DecodedMedia.isDescription(of: path)
                || DecodedMedia.readsMore(of: path) || path.isCutOffStream
        }
        if isNeeded, let info = try await decoded() { return info }
        do {
            let info = try await readKnown(path)
            // AVI, MPEG streams and so on may have tracks that GStreamer does not name, or none by the name that others know.
            let mayLack = info.video.isEmpty != info.audio.isEmpty && DecodedMedia.mayHoldVideo(path)
            let isNameless = (info.video.map(\.codec) + info.audio.map(\.codec)).contains { $0.contains("/") }
            let isEmpty = info.video.isEmpty && (info.audio.isEmpty || info.duration == .zero)
            guard isEmpty || mayLack || isNameless, let other = try await decoded() else {
                guard !info.isNothing else {
                    throw RushesError(
                        .badInput, on: path.string, "\(path.wireText): there is nothing in it that Rushes can read.")
                }
                return info.named
            }
            let isMore = other.video.count + other.audio.count > info.video.count + info.audio.count
            return isEmpty || isNameless || isMore ? other : info
        } catch {
            if let info = try await decoded() { return info }
            guard DecodedMedia.mayHoldVideo(path) else { throw error }
            let streams = try await onOwnThread("rushes-info") { OtherStream.all(in: path, named: path) }
            guard !streams.isEmpty else {
                guard var failure = error as? GStreamerError, !failure.isUnknownType else { throw error }
                failure.message = "there is neither video nor audio in it, nor subtitles or data that are known here"
                throw failure
            }
            return try MovieInfo(listing: streams, of: path)
        }
    }

    /// QuickTime and MP4 files from their index alone, Matroska and GIF from their blocks' heads; every other container through GStreamer.
    private func readKnown(_ path: FilePath) async throws -> MovieInfo {
        do {
            return try await onOwnThread("rushes-info") {
                var info = try MovieInfo(contentsOf: path)
                if info.complete, !info.video.isEmpty, let shown = try ShownFrames.count(in: path),
                    shown < info.video[0].frameCount
                {
                    info.video[0].shownFrameCount = shown
                }
                return info
            }
        } catch let error as RushesError {
            // One that lost its index is damaged and of no other kind: GStreamer would look for its streams for ten seconds.
            guard case .notAMovie? = error.underlying as? MovieFileError, !Self.beginsAsMovie(path) else { throw error }
            let matroska = try? await onOwnThread("rushes-info") { try MovieInfo(readingMatroska: path) }
            // One that is damaged GStreamer may still make something of.
            if let matroska { return matroska }
            if Self.isGIF(path) { return try await onOwnThread("rushes-info") { try MovieInfo(readingGIF: path) } }
            var info = try await MovieInfo(discovering: path)
            if info.video.first?.codec == CodecIdentifiers.mjpeg.name, info.duration == .zero,
                let images = try await onOwnThread("rushes-info", { JPEGFrames(path) })
            {
                info.video[0].frameCount = images.count
            }
            return info
        }
    }

    /// Whether the first box says that it is QuickTime or MP4 ('ftyp'); so is a file taken that has no bytes at all.
    private static func beginsAsMovie(_ path: FilePath) -> Bool {
        guard let bytes = head(path) else { return false }
        return bytes.isEmpty || bytes.dropFirst(4).elementsEqual("ftyp".utf8)
    }

    private static func isGIF(_ path: FilePath) -> Bool { head(path).map { GIFIndex.begins($0) } ?? false }

    /// The first eight bytes.
    private static func head(_ path: FilePath) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        return [UInt8](unsafeUninitializedCapacity: 8) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
    }
}

extension MovieInfo {
    /// Whether nothing is known of it but what its kind of file is called.
    fileprivate var isNothing: Bool {
        !["mov", "mp4", "mkv", "webm"].contains(container) && video.isEmpty && audio.isEmpty && subtitles == nil
            && data == nil && covers == nil
    }
}

extension FilePath {
    /// Whether it is AVI, Windows Media or a program stream whose end is missing, of which GStreamer's demuxers (1.22) leave out what lies last,
    /// or MPEG audio without its beginning. Blocks.
    fileprivate var isCutOffStream: Bool {
        if DecodedMedia.mayHoldVideo(self), let size = TruncationCheck.declaredSize(string) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: string)
            return size > (attributes?[.size] as? Int64 ?? .max)
        }
        return (try? ProgramStreamEnd.missingBytes(self)) ?? nil != nil || (try? ASFLength.ofCutOff(self)) ?? nil != nil
            // Of what lies before MPEG audio's first frame GStreamer's parser may take a part for one.
            || ((try? MPEGAudioScan(reading: self, named: self)) ?? nil)?.leading != nil
    }
}

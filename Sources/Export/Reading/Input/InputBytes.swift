import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage

/// What audio is brought to that changes on the way.
struct SteadyAudio: Sendable, Hashable {
    /// Frames a second.
    var rate: Int
    var channels: Int
}

/// What a walk through a file's bytes tells of it that its demuxer does not.
struct InputBytes: Sendable {
    /// Behind the end of the movie.
    private(set) var appended: AppendedMovie?
    /// What its demuxer gets, where it does not get along with all of it; nil where it does.
    private(set) var kept: KeptBytes?
    /// The same where MPEG audio is copied: a file holds packets of one kind, and the first alone are.
    private(set) var copied: KeptBytes?
    /// By how much later everything is shown than the file says, as nothing can be shown before 0; nil of most.
    private(set) var delay: MediaTime?
    /// The first and the last frame that a movie's edits present.
    private(set) var edges: EdgeFrames?
    /// How long its media last; nil where its demuxer, or its index, knows that.
    private(set) var length: ToldLength?
    /// MPEG audio without a container.
    private(set) var audio: MPEGAudioScan?
    /// How many bytes the last packet of a program stream lacks that was cut off.
    private(set) var missing: Int?
    /// How many frames a program stream begins with that no parser hands on.
    private(set) var leadingFrames = 0
    /// How much of the frames of VP6 is shown; nil of any other codec.
    private(set) var vp6: FLVScan.VP6Size?
    /// Whether subtitles lie among the data of a Flash video.
    private var hasFlashText = false
    /// Whether it lacks its end, and its demuxer does not tell.
    private(set) var isCutOff = false
    /// What no demuxer can read, where there is more behind it.
    private(set) var damage: [LostRange] = []

    /// Nothing is told but that.
    init(isCutOff: Bool = false) { self.isCutOff = isCutOff }

    /// Blocks.
    ///
    /// - Parameter movie: its index, of QuickTime and MP4.
    init(_ file: InputFile, _ container: InputContainer, _ movie: MovieInfo?) {
        let (path, size) = (FilePath(file.location), UInt64(clamping: file.size))
        switch container {
        case .movie:
            let end = (try? CoreAudioFile.end(of: path)) ?? nil
            (appended, isCutOff) = (movie?.appended ?? end?.appended, end?.isCutOff ?? (movie?.complete == false))
            edges = (try? EdgeFrames(path)) ?? nil
        case .matroska:
            appended = try? AppendedMovie(readingMatroska: path)
            // matroskademux (1.22) reads on, and gives the second movie the times of the first.
            leaveOutAppended(size)
            if let times = try? NegativeTimes(readingMatroska: path) {
                delay = times.shift
                kept = KeptBytes(
                    size: size, without: [appended.map { $0.offset..<size }].compactMap(\.self), patches: times.patches)
            }
            isCutOff =
                TruncationCheck.declaredSize(file.location).map { $0 > file.size }
                ?? MatroskaEnd.isWithinElement(path)
        case .other:
            if let scan = try? MPEGAudioScan(reading: path, named: file.path) {
                (audio, length) = (scan, ToldLength(audio: scan.duration))
                // What is no frame it (1.22) may take for one of another kind, and then takes no other; and behind a tag nothing but
                // what it had before.
                let tags = scan.sections.count > 1 ? scan.tags : []
                let omitted = ([scan.leading].compactMap(\.self) + tags).sorted { $0.lowerBound < $1.lowerBound }
                if !omitted.isEmpty { kept = KeptBytes(size: size, without: omitted) }
                copied = scan.leading.map { KeptBytes(size: size, without: [$0]) }
            } else if let scan = try? FLVScan(reading: path) {
                (length, damage, vp6, hasFlashText) = (scan.length, scan.damage, scan.vp6, scan.hasText)
                // flvdemux (1.22) ends at the first tag that is none.
                if !scan.omitted.isEmpty { kept = KeptBytes(size: size, without: scan.omitted) }
            } else if let scan = try? MXFScan(reading: path) {
                (damage, isCutOff, appended) = (scan.damage, scan.isCutOff, scan.appended)
                if !scan.omitted.isEmpty { kept = KeptBytes(size: size, without: scan.omitted) }
            } else if let scan = try? DVScan(reading: path) {
                (damage, isCutOff) = (scan.damage, scan.isCutOff)
                if !scan.omitted.isEmpty { kept = KeptBytes(size: size, without: scan.omitted) }
            } else if let chain = try? OggChain(reading: path) {
                (appended, isCutOff) = (chain.appended, AudioFileEnd.isWithinBlock(path))
                leaveOutAppended(size)
            } else if let audio = try? AppendedMovie(readingFLAC: path) {
                appended = audio
                leaveOutAppended(size)
            } else if let empty = (try? AIFFEnd.emptyChunks(in: path)) ?? nil {
                kept = KeptBytes(size: size, without: [empty])
            } else {
                let flac = FLACStreamInfo.duration(of: path).map { ToldLength(audio: $0) }
                length = flac ?? (try? ASFLength.ofCutOff(path)) ?? nil
                isCutOff = AudioFileEnd.isMissing(path) || AudioFileEnd.isWithinBlock(path)
            }
        // avidemux (1.22) reads what the first one's index names.
        case .avi: appended = try? AppendedMovie(readingAVI: path)
        case .flac:
            appended = try? AppendedMovie(readingFLAC: path)
            // flacparse (1.22) takes the second head for damage, and gives what follows times of its own.
            leaveOutAppended(size)
            if appended == nil, AudioFileEnd.isWithinFrame(flac: path) {
                length = ToldLength()
                length?.isCutOff = true
            }
        case .mpegStream:
            missing = (try? ProgramStreamEnd.missingBytes(path)) ?? nil
            leadingFrames = (try? ProgramStreamStart.leadingFrames(path)) ?? 0
        // wavparse (1.22) reads it up to its end, wherever its head says that is.
        case .wav:
            isCutOff =
                (TruncationCheck.declaredSize(file.location) ?? 0) > file.size
                && (try? WaveTags(reading: path))?.hasWholeAudio != true
        case .disturbedStream, .gif, .musepack, .halfRateAC3, .bareStream, .bareAV1: break
        }
    }

    private mutating func leaveOutAppended(_ size: UInt64) {
        if let appended { kept = KeptBytes(size: size, without: [appended.offset..<size]) }
    }

    /// What MPEG audio of several kinds is brought to; nil where it is of one.
    var steadyAudio: SteadyAudio? {
        guard let sections = audio?.sections, sections.count > 1 else { return nil }
        return SteadyAudio(rate: sections[0].rate, channels: sections.map(\.channels).max() ?? 2)
    }

    /// Sentences about it.
    var notes: [String] {
        var notes = [appended?.note].compactMap(\.self)
        if let leading = audio?.leading {
            notes.append("\(leading.count) bytes at the beginning are not a whole frame of audio and were left out.")
        }
        if let damage = audio?.damage, let first = damage.first {
            let bytes = damage.reduce(0) { $0 + $1.size }
            let place = damage.count == 1 ? "at" : "in \(damage.count) places, the first at"
            notes.append(
                "\(bytes) bytes among the audio, \(place) \(first.time.secondsToHundredths) s, are not whole frames and were left out."
            )
        }
        if let missing = audio?.missing {
            notes.append("The file is cut off: its last frame of audio lacks \(missing) bytes and was left out.")
        }
        if let missing {
            notes.append(
                "The file is cut off: its last packet lacks \(missing) bytes, and what followed is missing; copy it again from its source."
            )
        }
        if isCutOff {
            notes.append("The file is cut off, and what followed is missing; copy it again from its source.")
        }
        if let sections = audio?.sections, sections.count > 1 {
            notes.append(
                "From \(sections[1].start.secondsToHundredths) s on the audio is of another kind: \(sections[1].kind) and not "
                    + "\(sections[0].kind).")
        }
        if hasFlashText {
            notes.append("Subtitles (text among Flash video's data) were left out: nothing here reads them.")
        }
        if let first = damage.first {
            let bytes = damage.reduce(0) { $0 + $1.size }
            let place = damage.count == 1 ? "at" : "in \(damage.count) places, the first at"
            notes.append(
                "\(bytes) bytes of frames and audio, \(place) \(first.time.secondsToHundredths) s, are damaged and were left out; what "
                    + "follows is there."
            )
        }
        return notes
    }
}

extension MPEGAudioScan.Section {
    fileprivate var kind: String {
        "\(rate) Hz \(channels == 1 ? "mono" : "stereo")"
    }
}

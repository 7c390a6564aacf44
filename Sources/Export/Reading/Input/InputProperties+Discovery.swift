import Errors
import GStreamer
import MediaDecoding
import MovieFiles
import Photos
import SystemPackage

extension DiscoveredMedia {
    /// Whether it is a stream of frames without a container.
    fileprivate var isBareVideo: Bool {
        guard container == nil, streams.count == 1, let format = streams[0].caps?.first else { return false }
        return ["video/x-h264", "video/x-h265"].contains(format.name)
            || format.name == "video/mpeg" && format["systemstream"]?.boolValue != true
    }
}

/// What GStreamer tells of a file that is neither QuickTime nor MP4, and what it does not.
extension InputProperties {
    mutating func discover(_ file: InputFile) throws(RushesError) {
        if EncryptedMXF.isOne(FilePath(file.location)) {
            throw RushesError(.badInput, "\(file.path.displayName) \(EncryptedMXF.refusal).")
        }
        lacksTimes =
            container == .mpegStream && (try? ProgramStreamTimes.areMissing(in: FilePath(file.location))) == true
        let isUnknownMXF = MXFWrapping.isUnknown(toDemuxerOf: FilePath(file.location))
        if DecodedMedia.readsMore(of: FilePath(file.location))
            || DecodedMedia.isNeeded(for: FilePath(file.location), named: file.path) || isUnknownMXF
        {
            // GStreamer would give part of it without a word.
            guard DecodedMedia.isAvailable else {
                throw RushesError(
                    .missingPlugin,
                    "\(file.path.displayName) is of a kind that libavformat reads, which is not installed; install "
                        + "\(DecodedMedia.package).")
            }
            if let media = DecodedMedia(file, self) { return take(media) }
            guard !isUnknownMXF else {
                throw RushesError(.badInput, "\(file.path.displayName) \(MXFWrapping.refusal).")
            }
        }
        // A decoder takes the links of a chain for one, where a demuxer of GStreamer (1.22) gives each outputs of its own.
        if let chain = try? OggChain(reading: FilePath(file.location)), chain.isOneStream,
            let media = DecodedMedia(file, self)
        {
            take(media)
            // What its last page tells is how long the last link is.
            duration = nil
            return
        }
        let wave = container == .wav ? (try? WaveTags(reading: FilePath(file.location))) ?? nil : nil
        do throws(RushesError) { try checkSize(file) } catch {
            // Nothing completes AVI. GStreamer (1.22) reads less of what is there than others do.
            guard container == .avi, let media = DecodedMedia(file, self) else { throw error }
            take(media)
            bytes = InputBytes(isCutOff: true)
            return
        }
        lacksTransparency = container == .matroska && MissingTransparency.isFound(in: FilePath(file.location))
        do {
            try take(
                DiscoveredMedia(
                    uri: "file://\(file.location)", size: UInt64(clamping: file.size), within: .seconds(20)),
                of: file,
                wave)
        } catch {
            do throws(RushesError) { try takeFile(alone: file, wave, error) } catch {
                guard let media = DecodedMedia(file, self) else { throw error }
                take(media)
            }
        }
    }

    /// - Throws: ``RushesError`` for a file that says it is longer than it is.
    private func checkSize(_ file: InputFile) throws(RushesError) {
        guard container != .wav, container != .matroska, let size = TruncationCheck.declaredSize(file.location),
            size > file.size
        else {
            return
        }
        throw RushesError(
            .badInput,
            "\(file.path.displayName) is cut off: it has \(file.size) of \(size) bytes or more; copy it again.")
    }

    /// What can be known of a file that GStreamer told nothing of.
    ///
    /// - Throws: ``RushesError`` where that is not enough to export it.
    private mutating func takeFile(
        alone file: InputFile, _ wave: WaveTags?, _ error: GStreamerError
    ) throws(RushesError) {
        let name = file.path.displayName
        if let rewrapped {
            // What it fails at is not what will be read.
            duration = rewrapped.duration
            if let wave { (metadata, unkept) = (wave.metadata, wave.unkept) }
        } else if error.isAboutDecoding {
            // The container was read. Whether another decoder does it, or nothing else is lost, the export finds out.
            if container == .matroska { readMatroska(file) } else { duration = DecodedMedia(file, self)?.duration }
        } else if error.isUnknownType, lacksTransparency {
            readMatroska(file)
        } else if error.isUnknownType, container == .matroska || container.isTransport {
            let names = DeclaredStream.all(in: file, self).map(\.codec)
            // The export's own demuxer gets what GStreamer needs to read all of it.
            if !names.isEmpty, TransportEdit(file.location, transport) != nil { return }
            let what = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
            throw RushesError(
                .badInput,
                "\(name) cannot be read: GStreamer reads none of its streams here\(what); convert it with what made "
                    + "it, or with ffmpeg.")
        } else if error.isUnknownType, container.caps == nil {
            let cure = DecodedMedia.isAvailable ? "" : "; install \(DecodedMedia.package), which reads more kinds"
            throw RushesError(.badInput, "\(name) is not a movie or audio file that Rushes can read\(cure).")
        } else if AnimatedWebP.isOne(FilePath(file.location)) {
            throw RushesError(.badInput, "\(name) \(AnimatedWebP.refusal).")
        } else if (try? PhotoFile(FilePath(file.location)))?.kind == .heif {
            // Those of HEIC and AVIF lie in a movie's boxes.
            throw RushesError(
                .badInput,
                "\(name) is a photo; 'rushes timelapse --from-images' makes a movie of photos, and 'rushes transcode' one of audio and "
                    + "a photo, its --image.")
        } else if !error.isUnknownType {
            let streams = DeclaredStream.all(in: file, self)
            guard transport == nil || streams.contains(where: { $0.kind == .video || $0.kind == .audio }) else {
                let what = streams.isEmpty ? "" : " (\(streams.map(\.codec).joined(separator: ", ")))"
                throw RushesError(.badInput, "\(name) cannot be exported: it has neither video nor audio\(what).")
            }
            throw RushesError(.badInput, "\(name) cannot be read: \(error.message)")
        }
    }

    private mutating func take(_ media: DiscoveredMedia, of file: InputFile, _ wave: WaveTags?) {
        if container == .matroska,
            media.streams.contains(where: { $0.caps?.first?.name == "audio/x-unknown" })
                || MatroskaSeams.exist(in: FilePath(file.location))
        {
            reindexed = try? ReindexedMovie(reading: FilePath(file.location))
        }
        if container == .other, media.isBareVideo {
            // Something else stands in front of it.
            container = .bareStream
            frameOrder = FrameOrder(file.location, container)
        }
        // Some demuxers read a file that is too short for ever (avdemux_ape, 1.22): a second look, which decodes nothing, need
        // not take as long as the first.
        if media.streams.isEmpty { timeout = .seconds(10) }
        duration =
            rewrapped?.duration ?? BlockedWave(reading: FilePath(file.location))?.duration
            ?? FLACStreamInfo.duration(of: FilePath(file.location)) ?? media.duration
        chapters = media.chapters.map { MovieInfo.Chapter(start: $0.start, title: $0.title) }
        if chapters.isEmpty { chapters = ForeignChapters.read(FilePath(file.location)) }
        // GStreamer's demuxer of Matroska (1.22) hands on neither dates nor places.
        if container == .matroska, let told = try? MatroskaDescription(reading: FilePath(file.location)) {
            (metadata, hasAttachments, tracks) = (told.metadata, told.hasAttachments, told.tracks)
            timeCode = told.timeCode
            // It adds a block of the usual length to where it has read to, where the last one may be shorter, and where no length is told it guesses
            // one from what it has read.
            if let own = told.duration { duration = own } else if !told.tellsDuration { countLength(file) }
            // It finds those only that the file's index of itself names rightly.
            if chapters.isEmpty { chapters = told.chapters }
            if told.isRestarted {
                // Its demuxer shows one part over the other, and how long both are only reading tells.
                (duration, reindexed) = (nil, try? ReindexedMovie(reading: FilePath(file.location)))
            }
        } else {
            unkept = media.unkept
            metadata.artwork = media.artwork
        }
        hasCoverForVideo = DSFHead(reading: FilePath(file.location)) != nil
        let path = FilePath(file.location)
        let others =
            (wave?.unkept ?? []) + ((try? AIFFTags(reading: path))??.unkept ?? [])
            + (APETag(reading: path)?.unkept ?? []) + ((try? ASFTags(reading: path))??.unkept ?? [])
        unkept += others.filter { !unkept.contains($0) }
        if CommentChapters.describesCovers(in: path) { unkept.append("description of its cover") }
        if wave != nil, (try? WaveCues.haveUnnamed(path)) == true { unkept.append("markers without names") }
        metadata.fill(from: media, of: path)
        // Music in modules tells its name only when it is played.
        if media.streams.first?.caps?.first?.name == "audio/x-mod", let told = DecodedMedia(file, self) {
            metadata.fill(named: told.texts)
        }
        // Of MXF it hands on what each frame carries, and not what the track of time codes says, nor colors and languages.
        if DecodedMedia.isDescription(of: path), let told = DecodedMedia(file, self) {
            (description, timeCode) = (told, timeCode ?? told.timeCode)
            unkept += told.lostTimeCode
        }
        let frames = media.streams.first { $0.kind == .video }
        orientation = Self.orientations[frames?.tags["image-orientation"] ?? ""] ?? .upright
    }

    /// Takes the length of a Matroska file by its blocks; none where it is damaged.
    private mutating func countLength(_ file: InputFile) {
        duration = nil
        guard let info = (try? MovieInfo(readingMatroska: FilePath(file.location))) ?? nil, info.duration > .zero else {
            return
        }
        duration = min(info.duration, .longest)
        assumedLength = info.video.first?.frameRate.map { MediaTime(seconds: 1 / max($0, 0.001)) } ?? .zero
    }

    /// Reads what a Matroska file tells, of which GStreamer told nothing.
    private mutating func readMatroska(_ file: InputFile) {
        reindexed = try? ReindexedMovie(reading: FilePath(file.location))
        guard let info = (try? MovieInfo(readingMatroska: FilePath(file.location))) ?? nil else { return }
        (duration, chapters, metadata) = (min(info.duration, .longest), info.chapters, info.metadata)
        if let told = try? MatroskaDescription(reading: FilePath(file.location)) {
            (metadata.artwork, hasAttachments, tracks) = (told.metadata.artwork, told.hasAttachments, told.tracks)
            timeCode = told.timeCode
        }
        // What another library wrote of itself as the writer of that file is not true of the new one.
        if metadata.software?.hasPrefix("Lavf") == true { metadata.software = nil }
        orientation = info.video.first?.orientation ?? .upright
    }

    /// GStreamer's tag (`GST_TAG_IMAGE_ORIENTATION`): the flip comes first, then the turn, clockwise.
    private static let orientations: [String: MovieOrientation] = [
        "rotate-90": MovieOrientation(rotation: .quarter), "rotate-180": MovieOrientation(rotation: .half),
        "rotate-270": MovieOrientation(rotation: .threeQuarters),
        "flip-rotate-0": MovieOrientation(isMirrored: true),
        "flip-rotate-90": MovieOrientation(rotation: .quarter, isMirrored: true),
        "flip-rotate-180": MovieOrientation(rotation: .half, isMirrored: true),
        "flip-rotate-270": MovieOrientation(rotation: .threeQuarters, isMirrored: true),
    ]
}

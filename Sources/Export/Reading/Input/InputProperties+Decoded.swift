import Encoding
import GStreamer
package import MediaDecoding
import MediaTypes
import MovieFiles
package import SystemPackage

/// What GStreamer (1.22) has no demuxer or no decoder for, and libavformat and libavcodec have.
extension InputProperties {
    /// Takes what a file is that is read by libavformat and decoded by libavcodec, and what it says of itself.
    mutating func take(_ media: DecodedMedia) {
        decoded = media
        // How its bytes lie counts for demuxers that do not read it.
        (bytes, rewrapped, reindexed, frameTimes, frameOrder) = (InputBytes(), nil, nil, nil, nil)
        timeout = .seconds(20)
        guard !hasIndex else { return }
        // Times count from what comes first, and nothing else of it is read.
        (container, declared, movie, transport) = (.other, [], nil, nil)
        duration = media.duration
        if chapters.isEmpty {
            chapters = media.chapters.map { MovieInfo.Chapter(start: $0.start, title: $0.title) }
        }
        metadata.fill(named: media.texts)
        timeCode = timeCode ?? media.timeCode
        orientation =
            media.video.first.flatMap { MovieOrientation(degrees: $0.rotation, isMirrored: false) } ?? orientation
        unkept += media.unkept.filter { !unkept.contains($0) }
    }

    /// Whether its own index says what it holds, when, and with which subtitles.
    fileprivate var hasIndex: Bool { movie != nil || container == .matroska && duration != nil }
}

extension DecodedMedia {
    /// - Parameters:
    ///   - file: which it is read of as long as that lives.
    ///   - properties: what is known of it otherwise.
    init?(_ file: InputFile, _ properties: InputProperties) {
        self.init(reading: FilePath(file.location), named: file.path, keepsTimes: properties.hasIndex)
    }

    /// Whether GStreamer (1.22) gets less of a file that it reads: of program streams without times, or of which a stream begins late, of AMR with
    /// damage among its frames, of FLAC whose frames are others than its head says, and of Flash video whose AAC is not described. Blocks.
    package static func readsMore(of location: FilePath) -> Bool {
        (try? ProgramStreamTimes.areMissing(in: location)) == true
            || (try? LateProgramStreams.exist(in: location)) == true
            || (try? AMRFrames.areDamaged(in: location)) == true
            || (try? FLACFrames.differ(fromHeadOf: location)) == true
            || ((try? FLVScan(reading: location)) ?? nil)?.lacksAudioDescription == true
    }

    /// Of its first frame; nil where nothing tells it.
    var timeCode: TimeCode? {
        guard let text = texts["timecode"], let rate = video.first?.rate else { return nil }
        return TimeCode(text, rate: rate)
    }

    /// In words, what it says of itself that no output has a place for here.
    fileprivate var unkept: [String] {
        (hasCover ? ["cover"] : []) + lostTimeCode
    }

    /// That of audio alone, of which nobody knows how many frames it counts a second; not one of all zeros.
    var lostTimeCode: [String] {
        let isTold = texts["timecode"]?.contains { ("1"..."9").contains($0) } ?? false
        return video.isEmpty && isTold ? ["time code"] : []
    }

    /// What is said of streams that nothing is made of.
    var omissions: [String] {
        var tracks = undecodable.map { "A track (\($0)) was left out: nothing of it is decoded here." }
        if otherProgramCount > 0 {
            tracks.append(
                otherProgramCount == 1
                    ? "A further program was left out." : "\(otherProgramCount) further programs were left out.")
        }
        if video.contains(where: \.isFloat) {
            tracks.append("What is brighter than white in its linear light is white in the movie.")
        }
        if video.contains(where: \.format.losesAlpha) { tracks.append("What is transparent is opaque in the movie.") }
        return subtitles.isEmpty
            ? tracks
            : tracks + [
                "Subtitles (\(subtitles.joined(separator: ", "))) were left out: of this kind of file they are not read."
            ]
    }

    /// What is said where a track was to be copied.
    func copyNote(_ track: MediaReader.Track) -> String? {
        let index = track.stream.index
        guard track.stream.kind == .audio, audio.indices.contains(index) else { return nil }
        return "The audio (\(audio[index].codec)) was decoded: it cannot be copied as it is here."
    }

    /// What is told of a track: its language, ISO 639, its title, and what its codec was.
    func words(
        of kind: SourceStream.Kind, _ index: Int
    ) -> (language: String?, title: String?, codec: String?) {
        switch kind {
        case .video where video.indices.contains(index):
            (video[index].language, video[index].title, video[index].codec)
        case .audio where audio.indices.contains(index):
            (audio[index].language, audio[index].title, audio[index].codec)
        default: (nil, nil, nil)
        }
    }
}

extension DecodedVideo {
    /// nil where nothing tells.
    var color: ColorInformation? {
        let color = ColorInformation(
            primaries: UInt16(clamping: colors.primaries), transfer: UInt16(clamping: colors.transfer),
            matrix: UInt16(clamping: colors.matrix), isFullRange: nil)
        return color.isSpecified ? color : nil
    }
}

extension DecodedMedia.Damage {
    /// A sentence about it; nil where there is none.
    var note: String? {
        guard count > 0 else { return nil }
        let what = count == 1 ? "A packet of the input was" : "\(count) packets of the input were"
        let place = first.map {
            count == 1 ? " at \($0.secondsToHundredths) s" : ", the first at \($0.secondsToHundredths) s"
        }
        return "\(what) damaged and left out\(place ?? "")."
    }
}

import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A copy as Matroska")
struct MatroskaCopyTests {
    static func copied(_ input: URL, isWebM: Bool = false) throws -> (url: URL, copy: MatroskaCopy) {
        let url = Scratch.directory.unique(isWebM ? "webm" : "mkv")
        let copy = try MatroskaCopy.copy(
            FilePath(input.path), to: FilePath(url.path), options: .init(isWebM: isWebM))
        #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64 == copy.fileSize)
        return (url, copy)
    }

    /// How much later than in the movie all is: as long as the longest priming.
    private func shift(_ streams: [[Judge.Packet]]) -> Double {
        streams.filter { $0[0].codec_type == "audio" }.reduce(0) { max($0, -$1[0].presentation) }
    }

    @Test(
        "holds the same packets in step, decodes to the same, and opens everywhere",
        arguments: Cases.taken(
            of: [CopyInput.aac, .offset, .variable, .hdr, .unedited, .audioTracks, .audioMov, .fragments]))
    func samePackets(_ input: CopyInput) async throws {
        let original = try await input.url()
        let (url, copy) = try Self.copied(original)
        #expect(copy.omittedTracks.isEmpty)
        let (mine, theirs) = await (try await Judge.allPackets(url), try Judge.allPackets(original))
        #expect(mine.map { $0[0].codec_type } == theirs.map { $0[0].codec_type })
        let shift = shift(theirs)
        for (stream, other) in zip(mine, theirs) {
            #expect(stream.map(\.data_hash) == other.map(\.data_hash))
            #expect(stream.map { $0.flags.hasPrefix("K") } == other.map { $0.flags.hasPrefix("K") })
            let distances = zip(stream, other).map { abs($0.presentation - $1.presentation - shift) }
            #expect(distances.allSatisfy { $0 < 0.0011 }, "up to \(distances.max() ?? .nan) s apart")
        }
        try await Judge.opensWithoutAWord(url)
        let (frames, shown) = await (try await Judge.shownFrames(url), try Judge.shownFrames(original))
        #expect(frames.map(\.checksum) == shown.map(\.checksum))
        for track in theirs.filter({ $0[0].codec_type == "audio" }).indices {
            let (audio, received) = (try await Judge.audio(url, track), try await Judge.audio(original, track))
            // What primes a decoder comes first, and is cut off of the original.
            #expect(audio.suffix(received.count) == received)
        }
    }

    @Test("tells what ffmpeg knows of the streams", arguments: [CopyInput.aac, .hdr])
    func sameStreams(_ input: CopyInput) async throws {
        let original = try await input.url()
        let (mine, theirs) = await (try await Judge.ffprobe(Self.copied(original).url), try Judge.ffprobe(original))
        for (stream, other) in zip(mine.streams, theirs.streams) {
            #expect(stream.codec_name == other.codec_name)
            #expect(stream.profile == other.profile)
            #expect(stream.width == other.width && stream.height == other.height)
            #expect(stream.r_frame_rate == other.r_frame_rate || other.codec_type != "video")
            #expect(stream.color_primaries == other.color_primaries)
            #expect(stream.color_transfer == other.color_transfer)
            #expect(stream.color_space == other.color_space)
            #expect(stream.color_range == other.color_range)
            #expect(stream.channels == other.channels && stream.sample_rate == other.sample_rate)
        }
    }

    @Test("tells the light of HDR10")
    func light() async throws {
        let (url, _) = try await Self.copied(try CopyInput.hdr.url())
        #expect(try await Judge.mediainfo(url, "Video", "MaxCLL").hasPrefix("1000 "))
        #expect(try await Judge.mediainfo(url, "Video", "MaxFALL").hasPrefix("400 "))
        let structure = try MatroskaStructure(url)
        let entry = try #require(structure.part(.tracks).flatMap { structure.first(.trackEntry, in: $0) })
        let colour = try #require(
            structure.first(.video, in: entry).flatMap { structure.first(.colour, in: $0) })
        #expect(structure.number(structure.first(.range, in: colour)) == 1)
    }

    @Test("tells what a Dolby Vision decoder needs")
    func dolbyVision() async throws {
        // Profile 8.4, level 4, as telephones record it: reference frames and a base layer as HLG.
        let record: [UInt8] = [1, 0, 0x10, 0x25, 0x40] + [UInt8](repeating: 0, count: 19)
        let original = try Self.adding(
            Box(type: "dvvC", fileOffset: 0, payload: record[...]), toFramesOf: try await CopyInput.hdr.url())
        let (url, _) = try Self.copied(original)
        for movie in [original, url] {
            let told = try await Tool.succeed(
                "ffprobe", ["-v", "error", "-show_streams", "-select_streams", "v", movie.path]
            ).text
            for line in ["dv_profile=8", "dv_level=4", "rpu_present_flag=1", "dv_bl_signal_compatibility_id=4"] {
                #expect(told.contains(line), "\(movie.lastPathComponent)")
            }
        }
        // What others write of it is called by its name, too, where nothing keeps it.
        let others = Scratch.directory.unique("mkv")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", original.path, "-c", "copy", others.path])
        for movie in [url, others] {
            let omissions = try ToldFrames(reading: FilePath(movie.path))?.omissions ?? []
            #expect(omissions.count == 1 && omissions[0].contains("Dolby Vision"), "\(omissions)")
        }
    }

    /// A movie whose index lies behind its samples, with one more box in the description of its frames.
    private static func adding(_ box: Box, toFramesOf original: URL) throws -> URL {
        let bytes = [UInt8](try Data(contentsOf: original))
        var boxes = try Box.boxes(in: bytes[...], at: 0).boxes
        let index = try #require(boxes.firstIndex { $0.type == "moov" })
        try #require(index == boxes.count - 1)
        try boxes[index].edit(["trak", "mdia", "minf", "stbl", "stsd"]) { (stsd: inout Box) throws(MovieFileError) in
            var entries = try SampleEntry.entries(of: stsd, handler: "vide")
            entries[0].extensions.append(box)
            stsd.payload = try SampleEntry.descriptionBox(entries).payload
        }
        let url = Scratch.directory.unique(original.pathExtension)
        try Data(bytes[..<Int(boxes[index].fileOffset)] + boxes[index].serialized()).write(to: url)
        return url
    }

    @Test("holds PCM audio to the frame", arguments: [CopyInput.pcm])
    func pcm(_ input: CopyInput) async throws {
        let original = try await input.url()
        let (url, _) = try Self.copied(original)
        #expect(try await Judge.audio(url) == Judge.audio(original))
        try await Judge.decodesWithoutAWord(url, excused: "Guessed Channel Layout")
        #expect(try await Judge.ffprobe(url).audio?.codec_name == "pcm_s24le")
    }

    @Test(
        "holds frames that need no others",
        arguments: ["-c:v prores_ks -pix_fmt yuv422p10le", "-c:v mjpeg -pix_fmt yuvj420p"])
    func intra(_ codec: String) async throws {
        let original = try await CopyInput(description: codec, ending: "mov", options: codec + " -ac 2 -c:a pcm_s16le")
            .url()
        let (url, _) = try Self.copied(original)
        #expect(try await Judge.shownFrames(url).map(\.checksum) == Judge.shownFrames(original).map(\.checksum))
        #expect(try await Judge.ffprobe(url).video?.codec_name == Judge.ffprobe(original).video?.codec_name)
        try await Judge.decodesWithoutAWord(url, excused: "Guessed Channel Layout")
    }

    @Test("drops what Opus begins with, as the movie does, also in WebM")
    func opus() async throws {
        let original = try await CopyInput(
            description: "AV1 and Opus", ending: "mp4",
            options: "-c:v libaom-av1 -cpu-used 8 -usage realtime -g 20 -c:a libopus -ac 2"
        ).url()
        let (url, _) = try Self.copied(original, isWebM: true)
        #expect(try await Judge.audio(url) == Judge.audio(original))
        #expect(try await Judge.shownFrames(url).map(\.checksum) == Judge.shownFrames(original).map(\.checksum))
        let packets = try await Judge.allPackets(url)
        #expect(packets[0][0].presentation == 0)
        let structure = try MatroskaStructure(url)
        #expect(
            structure.text(structure.first(.docType, in: MatroskaStructure.elements(structure.bytes, 0..<40)[0]))
                == "webm")
        let audio = try #require(structure.part(.tracks).map { structure.all(.trackEntry, in: $0) }?.last)
        #expect(structure.number(structure.first(.codecDelay, in: audio)) == 6_500_000)
        #expect(structure.number(structure.first(.seekPreRoll, in: audio)) == 80_000_000)
        try await Judge.opensWithoutAWord(url)
    }

    @Test("cuts audio where the movie's edits do", arguments: ["aac", "libopus"])
    func cutAudio(_ codec: String) async throws {
        let original = try await CopyInput(
            description: codec, ending: "mp4", options: "-map 1:a -ac 1 -c:a \(codec)"
        ).url()
        let (part, _) = try MovieCopy.copied(original, .init(timeRange: .seconds(0.513, 1.7)))
        let (url, _) = try Self.copied(part)
        let seconds = Double(try await Judge.audio(url).count) / 4 / 48_000
        // Of Opus the beginning is thrown away too; of others it begins with the packet that is under way.
        let early = codec == "libopus" ? 0 : 1024.0 / 48_000
        #expect(seconds > 1.187 - 0.0025 && seconds < 1.187 + early + 0.0025)
        let (packets, all) = await (try await Judge.allPackets(url)[0], try Judge.allPackets(part)[0])
        let first = try #require(all.firstIndex { $0.data_hash == packets[0].data_hash })
        #expect(all.dropFirst(first).prefix(packets.count).map(\.data_hash) == packets.map(\.data_hash))
        let shift = codec == "libopus" ? 0 : -all[first].presentation
        let distances = zip(packets, all.dropFirst(first)).map { abs($0.presentation - $1.presentation - shift) }
        #expect(distances.allSatisfy { $0 < 0.0011 }, "up to \(distances.max() ?? .nan) s apart")
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("has title, date, tags, chapters, languages and subtitles", arguments: [CopyInput.text, .textMov])
    func attributes(_ input: CopyInput) async throws {
        let url = Scratch.directory.unique(input.ending)
        try await FileManager.default.copyItem(at: try input.url(), to: url)
        try MovieEditing.setMetadata(
            MovieMetadata(
                title: "Title ü", description: "What it shows", keywords: ["one", "two"],
                creationDate: MovieDate("2020-03-04T06:06:07+0100"), make: "Maker",
                location: "+48.8577+002.2950+035.000/"), ofMovieAt: FilePath(url.path))
        let (made, _) = try Self.copied(url)
        let probe = try await Judge.ffprobe(made)
        let tags = probe.format.tags ?? [:]
        #expect(tags["title"] == "Title ü")
        #expect(tags["creation_time"]?.hasPrefix("2020-03-04T05:06:07") == true)
        #expect(tags["DESCRIPTION"] == "What it shows" && tags["KEYWORDS"] == "one,two")
        #expect(tags["DATE_RECORDED"] == "2020-03-04 05:06:07")
        // The zone of the clock goes on into QuickTime.
        #expect(tags["com.apple.quicktime.creationdate"] == "2020-03-04T06:06:07+0100", "\(tags)")
        #expect(tags["MAKE"] == "Maker" && tags["LOCATION"] == "+48.8577+002.2950+035.000/")
        #expect(probe.chapters?.map { $0.tags?["title"] } == ["One", "Zwei"])
        // Everything is as much later as the audio's priming is long.
        #expect(probe.chapters?.map { ($0.start_time as NSString).doubleValue.rounded(.down) } == [0, 0])
        let subtitles = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-i", made.path, "-map", "0:s", "-f", "srt", "-"]
        ).text
        #expect(subtitles.contains("00:00:00,321 --> 00:00:00,821\nHello"))
        #expect(subtitles.contains("00:00:01,021 --> 00:00:01,921\nWörld"))
        try await Judge.opensWithoutAWord(made)
    }

    @Test("names languages in both ways")
    func languages() {
        let expected: [(name: String, bibliographic: String, tag: String?)] = [
            ("deu", "ger", "de"), ("ger", "ger", "de"), ("de", "ger", "de"), ("eng", "eng", "en"),
            ("gsw", "gsw", "gsw"),
            ("pt-BR", "por", "pt-BR"), ("und", "und", nil), ("", "und", nil), ("a b", "und", nil),
            ("deutsch", "und", nil),
        ]
        for (name, bibliographic, tag) in expected {
            let language = MatroskaLanguage(TrackLanguage(name))
            #expect(language.bibliographic == bibliographic && language.tag == tag, "\(name)")
        }
    }
}

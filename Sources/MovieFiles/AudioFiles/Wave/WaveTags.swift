import Foundation
package import SystemPackage

/// What a WAV file says of itself in its chunks: `LIST` of `INFO` (Microsoft, "Multimedia Programming Interface and Data Specifications
/// 1.0"), `bext`, and `id3 `, which editors append. GStreamer (1.22) reads none of them behind the audio.
package struct WaveTags: Sendable {
    package private(set) var metadata = MovieMetadata()
    /// In words, what it says that no output has a place for here.
    package private(set) var unkept: [String] = []
    /// Its covers, the front cover first.
    package private(set) var covers: [CoverArt] = []

    /// A day or a year mostly; `bext` knows the second.
    private var listedDate: MovieDate?

    /// Whether the file has all of the audio, whatever it says of its own size.
    package private(set) var hasWholeAudio = false

    /// Of a chunk: covers are no larger.
    private static let maximumSize = 16 << 20

    /// Chunks that only programs for audio know, in words: AFsp's texts, the audio definition model (ITU-R BS.2088),
    /// radio's (AES46), and what samplers are told of notes and loops, which ffmpeg calls chapters.
    private static let unreadChunks = [
        "afsp": "AFsp's texts", "axml": "audio definition model", "cart": "radio's data",
        "smpl": "a sampler's notes and loops", "inst": "an instrument's notes",
    ]

    /// Blocks.
    ///
    /// - Returns: nil for what is no WAV file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> WaveTags? in
            guard var chunks = try WaveChunks(file) else { return nil }
            var (tags, broadcast, production) = (WaveTags(), nil as [UInt8]?, [] as [UInt8])
            var (rate, channels) = (0, 0)
            while let chunk = try chunks.next() {
                switch chunk.name {
                case "data": tags.hasWholeAudio = chunk.size < file.size && chunk.place + chunk.size <= file.size
                // Zoom's recorders write it small.
                case "LIST", "list": tags.readList(try chunks.content(of: chunk, atMost: Self.maximumSize))
                case "id3 ", "ID3 ":
                    if let tag = ID3Tag(try chunks.content(of: chunk, atMost: Self.maximumSize)) { tags.read(tag) }
                case "bext":
                    broadcast = try chunks.content(of: chunk, atMost: Self.maximumSize)
                case "iXML": production = try chunks.content(of: chunk, atMost: Self.maximumSize)
                case "fmt ":
                    let format = try chunks.content(of: chunk, atMost: 64)[...]
                    (channels, rate) = (Int(WaveChunks.number(format, 2, 2)), Int(WaveChunks.number(format, 4, 4)))
                default:
                    if let words = Self.unreadChunks[chunk.name], chunk.size > 0, !tags.unkept.contains(words) {
                        tags.unkept.append(words)
                    }
                }
            }
            // Whatever comes first in the file, what a person wrote counts for more.
            if let broadcast {
                let told = BroadcastExtension(broadcast)
                tags.metadata.fill(from: told.metadata)
                tags.metadata.broadcast = BroadcastWave(broadcast, sampleRate: rate, words: told.words)
            }
            tags.metadata.production = ProductionSound(production, sampleRate: rate, channels: channels)
            tags.metadata.creationDate = tags.metadata.creationDate ?? tags.listedDate
            return tags
        }
        guard let found else { return nil }
        self = found
    }

    private init() {}

    private mutating func read(_ tag: ID3Tag) {
        metadata.fill(from: tag.metadata)
        metadata.description = metadata.description ?? tag.metadata.description
        metadata.location = metadata.location ?? tag.metadata.location
        covers = tag.covers
        unkept += tag.unkept
    }

    private mutating func readList(_ bytes: [UInt8]) {
        guard bytes.starts(with: "INFO".utf8) else { return }
        var (rest, texts) = (bytes.dropFirst(4), [String: String]())
        while rest.count >= 8 {
            let size = Int(WaveChunks.number(rest, 4, 4))
            let text = rest.dropFirst(8).prefix(size).prefix { $0 != 0 }
            // Windows' programs write the letters of their country; those of western Europe are the usual ones.
            texts[String(decoding: rest.prefix(4), as: UTF8.self)] =
                String(bytes: text, encoding: .utf8) ?? String(bytes: text, encoding: .isoLatin1)
            rest = rest.dropFirst(8 + size + size % 2)
        }
        func text(_ name: String) -> String? { texts[name].flatMap { $0.isEmpty ? nil : $0 } }
        var own = MovieMetadata(title: text("INAM"))
        (own.artist, own.album, own.genre) = (text("IART"), text("IPRD"), text("IGNR"))
        (own.description, own.copyright) = (text("ISBJ"), text("ICOP"))
        // Where nobody remarked anything, most readers find what it shows in its place; see ``WaveLayout``.
        own.comment = text("ICMT") == own.description ? nil : text("ICMT")
        // Both are in use.
        own[.trackNumber] = text("ITRK") ?? text("IPRT")
        own[.composer] = text("IMUS")
        listedDate = listedDate ?? text("ICRD").flatMap { MovieDate($0) }
        metadata.fill(from: own)
        metadata.description = metadata.description ?? own.description
    }
}

extension MovieMetadata {
    /// Takes from another one what an editor of music writes, as far as it is not known yet.
    package mutating func fill(from other: MovieMetadata) {
        (title, artist, album) = (title ?? other.title, artist ?? other.artist, album ?? other.album)
        (genre, comment) = (genre ?? other.genre, comment ?? other.comment)
        (copyright, artwork) = (copyright ?? other.copyright, artwork ?? other.artwork)
        creationDate = creationDate ?? other.creationDate
        more.merge(other.more) { own, _ in own }
        if others.isEmpty { others = other.others }
        broadcast = broadcast ?? other.broadcast
        production = production ?? other.production
    }
}

import ArgumentParser
import Errors
import FileSystem
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// `rushes tag`: what a movie or an audio file and its tracks say about themselves, changed without touching its samples.
struct TagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract:
            "Write title, cover, place, date, camera, chapters and tracks' languages into finished movies and audio files.",
        discussion: """
            What is given replaces what the movie says, and an empty text removes it, all but the date; the rest stays. MOV, MP4, Matroska \
            and WebM are changed where they lie, and play after each step. A Matroska file that has no room for it is written anew, with \
            room for later. So are MP3, FLAC, WAV, and Opus and Vorbis in Ogg; what else their tags hold stays.

            EXAMPLES
              rushes tag take.mov --title "Day one" --location +48.8577+002.295/
              rushes tag talk.mp4 --chapter 0=Welcome --chapter 1m30s=Slides
              rushes tag talk.mp4 --chapters chapters.txt
              rushes tag *.mov --artist "Ann Lee" --comment ""
              rushes tag episode.mp3 --album Talks --artwork cover.jpg
              rushes tag film.mp4 --artwork poster.jpg --genre Documentary
              rushes tag film.mkv --audio-track 1,language=de,default
              rushes tag film.mkv --subtitle-track "2,language=en,title=Signs,forced"
            """)

    @Argument(
        help: ArgumentHelp("The movies and audio files; each gets what is given.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "m4a", "mkv", "webm", "mp3", "flac", "wav", "opus", "ogg"]),
        transform: localPath)
    var files: [String]
    @OptionGroup var tags: TagOptions
    @Option(
        help: ArgumentHelp("Its cover, a JPEG or a PNG.", valueName: "image"),
        completion: .file(extensions: ["jpg", "jpeg", "png"]))
    var artwork: String?
    @Option(
        help: ArgumentHelp(
            "A chapter and when it begins, such as 1m30s=Slides; the chapters given replace all others, and an empty text removes them.",
            valueName: "time=name"))
    var chapter: [ChapterArgument] = []
    @Option(
        help: ArgumentHelp(
            "Chapters of a text file, instead of all others: lines such as '1:30 Slides', mkvmerge's CHAPTER01=00:01:30.000 and CHAPTER01NAME=Slides, or ffmpeg's metadata.",
            valueName: "file"),
        completion: .file())
    var chapters: String?
    @Option(
        help: ArgumentHelp(
            "What an audio track says of itself, by its number: language=de (und for none), title=TEXT, default, which players play without being asked, and what it is for: commentary, dub, forced, hearing-impaired, original, visual-impaired. default=no takes that away, and so on.",
            valueName: "n,…"))
    var audioTrack: [String] = []
    @Option(help: ArgumentHelp("The same of a subtitle track.", valueName: "n,…")) var subtitleTrack: [String] = []
    @Option(help: ArgumentHelp("The same of a video track.", valueName: "n,…")) var videoTrack: [String] = []
    @OptionGroup var progress: CopyProgressOptions

    func run() async throws {
        let change = try change
        try await reportingFailures(ofEach: FilePath.typed(files)) { path in
            try await CopyDisplay.during(path.wireText, style: progress.style) { progress in
                try MovieEditing.apply(change, toMovieAt: path, progress: progress)
            }
            StandardStreams.printNote("\(path.wireText): \(changes(change)).")
        }
    }

    private var change: MovieChange {
        get throws {
            var change = MovieChange(metadata: try tags.metadata(), tracks: try tracks)
            change.metadata.artwork = try cover
            guard change.metadata != MovieMetadata() || !chapter.isEmpty || chapters != nil || !change.tracks.isEmpty
            else {
                throw ValidationError(
                    "There is nothing to write; give --title, --artist, --comment, --artwork, --date, --chapter, --audio-track "
                        + "or another of the options that 'rushes tag --help' lists.")
            }
            guard chapter.isEmpty || chapters == nil else {
                throw ValidationError("--chapter and --chapters cannot be used together; give one.")
            }
            let listed = try chapters.map { try ChapterList.read(FilePath(typed: $0)) }
            let new = (listed ?? chapter.compactMap(\.chapter)).sorted { $0.start < $1.start }
            if let double = zip(new, new.dropFirst()).first(where: { $0.start == $1.start })?.0 {
                throw ValidationError(
                    "Two chapters begin at \(Words.clock(double.start)); give each a time of its own.")
            }
            if listed != nil || !chapter.isEmpty { change.chapters = new }
            return change
        }
    }

    private var tracks: [TrackChange] {
        get throws {
            try videoTrack.map { try TrackChange($0, .video) } + audioTrack.map { try TrackChange($0, .audio) }
                + subtitleTrack.map { try TrackChange($0, .subtitle) }
        }
    }

    /// In bytes; those of the stores have some hundred thousand.
    private static let largestCover = 16 << 20

    /// An MP4's item; empty where the cover is to go, nil where it stays.
    private var cover: [UInt8]? {
        get throws {
            guard let artwork else { return nil }
            guard !artwork.isEmpty else { return [] }
            let path = FilePath(typed: artwork)
            do {
                guard let cover = CoverArt(try AtomicFile.read(path, limit: Self.largestCover)) else {
                    throw ValidationError("\(path.wireText) is neither a JPEG nor a PNG, as covers are; convert it.")
                }
                return cover.item
            } catch Errno.fileTooLarge {
                let most = Self.largestCover >> 20
                throw ValidationError("\(path.wireText) has more than \(most) MiB; make a smaller image of it.")
            } catch let error as Errno {
                throw ValidationError("\(path.wireText) cannot be read: \(error).")
            }
        }
    }

    /// "wrote the title and 2 chapters; removed the comment".
    private func changes(_ change: MovieChange) -> String {
        let given: [(String?, String)] = [
            (tags.title, "title"), (tags.artist, "artist"), (tags.album, "album"), (tags.genre, "genre"),
            (tags.description, "description"), (tags.comment, "comment"), (tags.copyright, "copyright"),
            (tags.location, "location"), (tags.make, "make"), (tags.model, "model"),
            (tags.date, change.metadata.creationDate?.isInstant == false ? "date without a time of day" : "date"),
            (artwork, "cover"),
        ]
        var written = given.compactMap { value, name in value.flatMap { $0.isEmpty ? nil : "the \(name)" } }
        let chapters = change.chapters?.count ?? 0
        if chapters > 0 { written.append(chapters == 1 ? "1 chapter" : "\(chapters) chapters") }
        for track in change.tracks where !written.contains(track.name) {
            written.append(track.name)
        }
        let removed =
            given.compactMap { value, name in value == "" ? "the \(name)" : nil }
            + (change.chapters?.isEmpty == true ? ["the chapters"] : [])
        return [("wrote", written), ("removed", removed)].filter { !$1.isEmpty }
            .map { "\($0) \($1.formatted(.list(type: .and).locale(Locale(identifier: "en_GB"))))" }.joined(
                separator: "; ")
    }
}

/// `1m30s=Slides`.
struct ChapterArgument: ExpressibleByArgument, Sendable {
    /// nil: there is none any more.
    let chapter: MovieInfo.Chapter?

    init?(argument: String) {
        guard !argument.isEmpty else {
            chapter = nil
            return
        }
        guard let equals = argument.firstIndex(of: "="), let time = TimeSpan(String(argument[..<equals])) else {
            return nil
        }
        let title = String(argument[argument.index(after: equals)...])
        guard !title.isEmpty else { return nil }
        chapter = MovieInfo.Chapter(start: time.time, title: title)
    }
}

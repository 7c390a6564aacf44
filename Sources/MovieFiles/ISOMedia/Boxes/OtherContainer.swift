import FileSystem

/// What files are that people take for movies, by how they begin, and what makes of them what Rushes can change.
enum OtherContainer {
    /// In words that follow "it is"; nil for what is none of them.
    static func name(of file: ReadableFile) -> String? {
        guard let head = try? file.read(upTo: 189, at: 0) else { return nil }
        let type = String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)
        if head.dropFirst(4).starts(with: "ftyp".utf8), photos.contains(type) {
            return "a photo; 'rushes timelapse --from-images' makes a movie of a folder of them"
        }
        if head.first == 0x47, head.last == 0x47, head.count == 189 { return "a transport stream; \(copying)" }
        // AAC without a container: twelve bits of one, and a layer that is none (ISO/IEC 13818-7, 6.2.1).
        if head.count > 1, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 {
            return "AAC without a container; \(copied("m4a"))"
        }
        if let words = kinds.first(where: { head.starts(with: $0.begin.utf8) })?.words { return words }
        // A program stream's first pack, or a sequence of video (ISO/IEC 13818-1, 2.5.3.4; 13818-2, 6.2.2.1).
        if head.starts(with: [0, 0, 1, 0xBA]) || head.starts(with: [0, 0, 1, 0xB3]) {
            return "MPEG video; \(copied("mkv"))"
        }
        if head.starts(with: [0x06, 0x0E, 0x2B, 0x34]) { return "MXF; \(copied("mkv"))" }
        if head.starts(with: [0x30, 0x26, 0xB2, 0x75]) { return "Windows Media; \(made)" }
        return head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) ? "Matroska or WebM; \(copying)" : forms[type]
    }

    private static let photos: Set = ["heic", "heix", "heim", "heis", "mif1", "avif"]

    private static let kinds: [(begin: String, words: String)] = [
        (begin: "FLV", words: "Flash video; \(copied("mkv"))"), ("fLaC", "FLAC audio"), ("OggS", "Ogg"),
        ("wvpk", "WavPack audio; \(encoded)"), ("MAC ", "Monkey's Audio; \(encoded)"),
        ("TTA1", "TTA audio; \(encoded)"),
        ("#!AMR", "AMR audio; \(encoded)"), ("caff", "Core Audio's format; \(encoded)"),
        ("GIF8", "a GIF; \(made)"),
        ("MPCK", "Musepack audio; \(encoded)"), ("MP+", "Musepack audio; \(encoded)"),
        ("DSD ", "DSD audio; \(encoded)"),
        ("FRM8", "DSD audio; \(encoded)"), (".ra", "RealAudio; \(encoded)"), ("DKIF", "IVF; \(copying)"),
        (".snd", "Sun audio; \(copied("wav"))"), ("riff", "Wave64 audio; \(copied("wav"))"),
        (".RMF", "RealMedia; \(made)"), ("Creative Voice File", "a Creative Voice file; \(encoded)"),
    ]

    /// By the type of a form of RIFF or IFF.
    private static let forms = [
        "WAVE": "WAV audio", "AVI ": "AVI; \(copying)", "AIFF": "AIFF audio; \(copied("wav"))",
        "AIFC": "AIFF audio; \(encoded)",
    ]

    private static let copying = "'rushes transcode --preset copy' makes a .mov or .mp4 file of it"
    private static let made = "'rushes transcode' makes a movie or an audio file of it"
    private static let encoded = "'rushes transcode' makes a .flac or .m4a file of it"

    private static func copied(_ ending: String) -> String {
        "'rushes transcode --preset copy' makes a .\(ending) file of it"
    }
}

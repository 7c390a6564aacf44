import GStreamer
import MediaTypes

/// GStreamer's media types under the names that ffprobe uses.
enum CodecName {
    static func of(_ format: Structure) -> String {
        func number(_ field: String) -> Int { format[field]?.intValue ?? 0 }
        func text(_ field: String) -> String { format[field]?.stringValue ?? "" }
        switch format.name {
        case "audio/x-raw": return pcm(text("format"))
        // MPEG-1 audio has layers, of which the third is called MP3; AAC came with MPEG-2.
        case "audio/mpeg":
            if number("mpegversion") == 1 { return "mp\(format["layer"]?.intValue ?? 3)" }
            return text("stream-format") == "loas" ? "aac_latm" : "aac"
        case "video/mpeg": return [1: "mpeg1video", 2: "mpeg2video"][number("mpegversion")] ?? "mpeg4"
        case "audio/x-wma":
            return [1: "wmav1", 2: "wmav2", 3: "wmapro", 4: "wmalossless"][number("wmaversion")] ?? "wmav2"
        case "video/x-wmv":
            if number("wmvversion") == 3, ["WVC1", "WMVA"].contains(text("format")) { return "vc1" }
            return "wmv\(max(1, number("wmvversion")))"
        case "audio/x-adpcm": return "adpcm_" + (adpcm[text("layout")] ?? text("layout"))
        case "video/x-msmpeg": return [41: "msmpeg4v1", 42: "msmpeg4v2"][number("msmpegversion")] ?? "msmpeg4v3"
        // From its fourth version on DivX is MPEG-4.
        case "video/x-divx" where number("divxversion") > 3: return CodecIdentifiers.mpeg4.name
        case "video/x-svq": return "svq\(number("svqversion"))"
        case "video/x-indeo": return "indeo\(number("indeoversion"))"
        case "video/x-rle": return text("layout") == "quicktime" ? "qtrle" : "msrle"
        case "video/x-pn-realvideo": return "rv\(number("rmversion"))0"
        default: return CodecIdentifiers(mediaType: format.name)?.name ?? format.name
        }
    }

    /// `S16LE` is `pcm_s16le`, but 24 bits in four bytes are told by their 32.
    private static func pcm(_ format: String) -> String {
        "pcm_" + format.lowercased().replacing("s24_32", with: "s32")
    }

    private static let adpcm = [
        "dvi": "ima_wav", "microsoft": "ms", "quicktime": "ima_qt", "swf": "swf", "g726": "g726", "g722": "g722",
    ]
}

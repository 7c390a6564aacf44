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
        case "audio/mpeg": return number("mpegversion") == 1 ? "mp\(format["layer"]?.intValue ?? 3)" : "aac"
        case "video/mpeg": return [1: "mpeg1video", 2: "mpeg2video"][number("mpegversion")] ?? "mpeg4"
        case "audio/x-wma":
            return [1: "wmav1", 2: "wmav2", 3: "wmapro", 4: "wmalossless"][number("wmaversion")] ?? "wmav2"
        case "video/x-wmv":
            if number("wmvversion") == 3, ["WVC1", "WMVA"].contains(text("format")) { return "vc1" }
            return "wmv\(max(1, number("wmvversion")))"
        case "audio/x-adpcm": return "adpcm_" + (adpcm[text("layout")] ?? text("layout"))
        case "video/x-msmpeg": return [41: "msmpeg4v1", 42: "msmpeg4v2"][number("msmpegversion")] ?? "msmpeg4v3"
        case "video/x-svq": return "svq\(number("svqversion"))"
        case "video/x-indeo": return "indeo\(number("indeoversion"))"
        case "video/x-rle": return text("layout") == "quicktime" ? "qtrle" : "msrle"
        case "video/x-pn-realvideo": return "rv\(number("rmversion"))0"
        default: return CodecIdentifiers(mediaType: format.name)?.name ?? names[format.name] ?? format.name
        }
    }

    /// `S16LE` is `pcm_s16le`, but 24 bits in four bytes are told by their 32.
    private static func pcm(_ format: String) -> String {
        "pcm_" + format.lowercased().replacing("s24_32", with: "s32")
    }

    private static let adpcm = [
        "dvi": "ima_wav", "microsoft": "ms", "quicktime": "ima_qt", "swf": "swf", "g726": "g726", "g722": "g722",
    ]
    private static let names = [
        "video/x-raw": "rawvideo", "video/x-dv": "dvvideo", "video/x-flash-video": "flv1", "video/x-vp6": "vp6",
        "video/x-vp6-flash": "vp6f", "video/x-vp6-alpha": "vp6a", "video/x-h263": "h263", "video/x-h266": "vvc",
        "video/x-divx": "msmpeg4v3", "video/x-xvid": "mpeg4", "video/x-huffyuv": "huffyuv", "video/x-ffv": "ffv1",
        "video/x-ffvhuff": "ffvhuff", "video/x-theora": "theora", "video/x-cinepak": "cinepak",
        "video/x-dirac": "dirac", "video/x-dnxhd": "dnxhd", "video/x-cineform": "cfhd", "video/x-camtasia": "tscc",
        "video/x-flash-screen": "flashsv", "video/x-flash-screen2": "flashsv2", "video/x-mszh": "mszh",
        "video/x-zlib": "zlib", "video/x-snow": "snow", "video/x-msvideocodec": "msvideo1",
        "video/x-lagarith": "lagarith",
        "image/png": "png", "image/gif": "gif", "image/gst-libav-gif": "gif", "image/x-jpc": "jpeg2000",
        "image/webp": "webp", "image/bmp": "bmp",
        "audio/x-dts": "dts", "audio/x-private1-dts": "dts", "audio/x-private1-ac3": "ac3", "audio/ac3": "ac3",
        "audio/AMR": "amr_nb", "audio/AMR-WB": "amr_wb", "audio/x-mulaw": "pcm_mulaw", "audio/x-alaw": "pcm_alaw",
        "audio/x-private1-lpcm": "pcm_dvd", "audio/x-true-hd": "truehd", "audio/x-mlp": "mlp", "audio/x-gsm": "gsm",
        "audio/ms-gsm": "gsm_ms", "audio/x-speex": "speex", "audio/x-tta": "tta", "audio/x-ttafile": "tta",
        "audio/x-wavpack": "wavpack", "audio/x-ffmpeg-parsed-ape": "ape", "audio/x-ape": "ape", "audio/x-ac4": "ac4",
        "audio/x-nellymoser": "nellymoser", "audio/x-musepack": "musepack8", "audio/x-sbc": "sbc",
        "audio/G722": "adpcm_g722",
        "audio/G723": "g723_1", "audio/G729": "g729", "audio/x-qdm2": "qdm2", "audio/x-adx": "adpcm_adx",
    ]
}

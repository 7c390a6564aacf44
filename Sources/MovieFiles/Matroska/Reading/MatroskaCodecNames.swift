import MediaTypes

/// What ffprobe calls the codecs of Matroska's tracks, by their `CodecID` (RFC 9559 section 5.1.4.1.19, matroska.org "Codec
/// mappings").
extension TrackEntry {
    var codecName: String {
        if let known = CodecIdentifiers.all.first(where: { $0.matroskaID == codecID }) { return known.name }
        if let known = Self.names[codecID] { return known }
        // AAC's identifiers of old name its profile too.
        if codecID.hasPrefix("A_AAC/") { return "aac" }
        if codecID.hasPrefix("A_DTS/") { return "dts" }
        let bits = audio?.unsigned(.bitDepth) ?? 16
        switch codecID {
        case "A_PCM/INT/LIT": return bits == 8 ? "pcm_u8" : "pcm_s\(bits)le"
        case "A_PCM/INT/BIG": return "pcm_s\(bits)be"
        case "A_PCM/FLOAT/IEEE": return "pcm_f\(bits)le"
        case "V_MS/VFW/FOURCC":
            // A BITMAPINFOHEADER, in which 16 bytes stand before the codec.
            let code = String(decoding: codecPrivate.dropFirst(16).prefix(4), as: UTF8.self)
            return Self.fourCCs[code.uppercased()] ?? code.lowercased()
        case "V_QUICKTIME":
            // A sample entry, with or without its size.
            return UInt32(bigEndianBytes: codecPrivate.dropFirst(4).prefix(4)).map {
                CodecNames.name(sampleEntry: FourCC(rawValue: $0))
            } ?? codecID
        case "A_MS/ACM":
            let format = codecPrivate.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
            return Self.waveFormats[format] ?? codecID
        default: return codecID
        }
    }

    private static let names: [String: String] = [
        "V_MPEG1": "mpeg1video", "V_MPEG2": "mpeg2video", "V_MPEG4/ISO/SP": "mpeg4", "V_MPEG4/ISO/AP": "mpeg4",
        "V_MPEG4/MS/V3": "msmpeg4v3", "V_THEORA": "theora", "V_FFV1": "ffv1", "V_DIRAC": "dirac", "V_SNOW": "snow",
        "V_UNCOMPRESSED": "rawvideo", "V_MPEGI/ISO/VVC": "vvc", "V_AVS2": "avs2", "V_AVS3": "avs3",
        "A_MPEG/L1": "mp1", "A_MPEG/L2": "mp2", "A_DTS": "dts", "A_TRUEHD": "truehd", "A_MLP": "mlp", "A_TTA1": "tta",
        "A_WAVPACK4": "wavpack", "A_REAL/COOK": "cook", "A_REAL/SIPR": "sipr", "A_AC3/BSID9": "ac3",
        "A_AC3/BSID10": "ac3", "A_QUICKTIME/QDM2": "qdm2", "A_ATRAC/AT1": "atrac1",
        "S_TEXT/UTF8": "subrip", "S_TEXT/ASCII": "subrip", "S_TEXT/ASS": "ass", "S_ASS": "ass", "S_TEXT/SSA": "ass",
        "S_SSA": "ass", "S_TEXT/WEBVTT": "webvtt", "D_WEBVTT/SUBTITLES": "webvtt", "S_VOBSUB": "dvd_subtitle",
        "S_HDMV/PGS": "hdmv_pgs_subtitle", "S_HDMV/TEXTST": "hdmv_text_subtitle", "S_DVBSUB": "dvb_subtitle",
        "S_ARIBSUB": "arib_caption",
    ]
    private static let fourCCs: [String: String] = [
        "XVID": "mpeg4", "DIVX": "mpeg4", "DX50": "mpeg4", "FMP4": "mpeg4", "MP4V": "mpeg4", "H264": "h264",
        "AVC1": "h264", "X264": "h264", "HEVC": "hevc", "MJPG": "mjpeg", "DIV3": "msmpeg4v3", "MP43": "msmpeg4v3",
        "MP42": "msmpeg4v2", "WMV1": "wmv1", "WMV2": "wmv2", "WMV3": "wmv3", "WVC1": "vc1", "FFV1": "ffv1",
        "HFYU": "huffyuv", "FFVH": "ffvhuff", "ULY0": "utvideo", "DVSD": "dvvideo", "FLV1": "flv1", "VP60": "vp6",
        "VP62": "vp6", "MPG2": "mpeg2video", "MPG1": "mpeg1video", "CFHD": "cfhd", "MPNG": "png", "PNG ": "png",
    ]
    private static let waveFormats: [Int: String] = [
        0x0002: "adpcm_ms", 0x0006: "pcm_alaw", 0x0007: "pcm_mulaw", 0x0011: "adpcm_ima_wav", 0x0031: "gsm_ms",
        0x0050: "mp2", 0x0055: "mp3", 0x00FF: "aac", 0x0160: "wmav1", 0x0161: "wmav2", 0x0162: "wmapro",
        0x0163: "wmalossless", 0x2000: "ac3", 0x2001: "dts",
    ]
}

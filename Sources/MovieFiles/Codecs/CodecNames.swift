import MediaTypes

/// What ffprobe calls codecs, by what files call them: those too that nothing here writes.
enum CodecNames {
    /// - Parameter sampleEntry: Of QuickTime or MP4.
    static func name(sampleEntry: FourCC) -> String {
        let type = sampleEntry.description
        return CodecIdentifiers(sampleEntry: type)?.name ?? sampleEntries[type] ?? type.trimmingSpaces
    }

    /// Of `esds`, for frames and audio (ISO/IEC 14496-1 table 5, and what mp4ra.org has registered).
    static let objectTypes: [UInt8: String] = [
        0x20: "mpeg4", 0x21: "h264", 0x23: "hevc", 0x40: "aac", 0x60: "mpeg2video", 0x61: "mpeg2video",
        0x62: "mpeg2video", 0x63: "mpeg2video", 0x64: "mpeg2video", 0x65: "mpeg2video", 0x66: "aac", 0x67: "aac",
        0x68: "aac", 0x69: "mp3", 0x6A: "mpeg1video", 0x6B: "mp3", 0x6C: "mjpeg", 0x6D: "png", 0x6E: "jpeg2000",
        0xA3: "vc1", 0xA4: "dirac", 0xA5: "ac3", 0xA6: "eac3", 0xA9: "dts", 0xAA: "dts", 0xAB: "dts", 0xAC: "dts",
        0xAD: "opus", 0xDD: "vorbis", 0xE0: "dvd_subtitle", 0xE1: "qcelp",
    ]

    private static let sampleEntries: [String: String] = [
        "2vuy": "rawvideo", "AVDH": "dnxhd", "AVdh": "dnxhd", "AVdn": "dnxhd", "AVrp": "r10k", "CFHD": "cfhd",
        "FFV1": "ffv1", "H263": "h263", "Hap1": "hap", "Hap5": "hap", "HapY": "hap", "SVQ1": "svq1", "SVQ3": "svq3",
        "VP31": "vp3", "XVID": "mpeg4", "cvid": "cinepak", "h263": "h263", "icod": "aic", "mjp2": "jpeg2000",
        "png ": "png", "gif ": "gif", "qdrw": "qdraw", "r210": "r210", "raw ": "rawvideo", "rle ": "qtrle",
        "rpza": "rpza", "s263": "h263", "smc ": "smc", "tiff": "tiff", "v210": "v210", "v308": "v308", "v408": "v408",
        "v410": "v410", "vc-1": "vc1", "vvc1": "vvc", "vvi1": "vvc", "yuv2": "rawvideo", "yuvs": "rawvideo",
        "dvc ": "dvvideo", "dvcp": "dvvideo", "dvpp": "dvvideo", "dv5n": "dvvideo", "dv5p": "dvvideo",
        "dvh2": "dvvideo", "dvh3": "dvvideo", "dvh5": "dvvideo", "dvh6": "dvvideo", "dvhp": "dvvideo",
        "dvhq": "dvvideo", "mx5n": "mpeg2video", "mx5p": "mpeg2video", "m2v1": "mpeg2video", "hdv2": "mpeg2video",
        "hdv3": "mpeg2video", "xdv2": "mpeg2video", "xdv3": "mpeg2video", "xdvb": "mpeg2video", "xd5b": "mpeg2video",
        "MAC3": "mace3", "MAC6": "mace6", "QDM2": "qdm2", "QDMC": "qdmc", "Qclp": "qcelp", "sqcp": "qcelp",
        "agsm": "gsm", "dtsc": "dts", "dtse": "dts", "dtsh": "dts", "dtsl": "dts", "ima4": "adpcm_ima_qt",
        "mlpa": "truehd", "ms\\x0\\x2": "adpcm_ms", "ms\\x0\\x11": "adpcm_ima_wav", "ms\\x0U": "mp3",
        "samr": "amr_nb", "sawb": "amr_wb", "spex": "speex", "NONE": "pcm_u8",
    ]

    /// Of tracks that are neither frames nor audio, by their sample entries.
    static func name(otherEntry: FourCC) -> String { others[otherEntry.description] ?? name(sampleEntry: otherEntry) }

    private static let others: [String: String] = [
        "tx3g": "mov_text", "text": "mov_text", "wvtt": "webvtt", "stpp": "ttml", "c608": "eia_608",
        "mp4s": "dvd_subtitle",
    ]
}

extension String {
    var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

import Foundation

/// What the numbers of a transport stream's tables stand for (ISO/IEC 13818-1, table 2-34; ETSI EN 300 468, 6.1; ATSC A/53).
enum TransportCodec {
    enum Kind: Sendable { case video, audio, subtitle, other }

    /// - Parameter descriptors: what follows the type in the table.
    static func name(of type: UInt8, _ descriptors: [UInt8]) -> (Kind, String) {
        if let known = types[type] { return known }
        var place = 0
        while place + 2 <= descriptors.count {
            let end = min(descriptors.count, place + 2 + Int(descriptors[place + 1]))
            let content = descriptors[(place + 2)..<end]
            if descriptors[place] == 5, let known = registrations[String(decoding: content.prefix(4), as: UTF8.self)] {
                return known
            }
            // The extension's own number comes first.
            let isExtension = descriptors[place] == 0x7F
            if let known = isExtension ? content.first.flatMap({ extensions[$0] }) : tags[descriptors[place]] {
                return known
            }
            place = end
        }
        return (.other, String(format: "type 0x%02X", type))
    }

    /// AAC in packets of its own, as television has it.
    static let latm = "AAC in LATM"

    /// Subtitles that are images.
    static let imageSubtitles: Set = ["PGS", "DVB"]

    private static let types: [UInt8: (Kind, String)] = [
        0x01: (.video, "MPEG-1"), 0x02: (.video, "MPEG-2"), 0x10: (.video, "MPEG-4"), 0x1B: (.video, "H.264"),
        0x20: (.video, "H.264 of another view"), 0x21: (.video, "JPEG 2000"), 0x24: (.video, "HEVC"),
        0x32: (.video, "JPEG XS"), 0x33: (.video, "VVC"), 0x42: (.video, "AVS"), 0xD1: (.video, "Dirac"),
        0xEA: (.video, "VC-1"), 0x03: (.audio, "MPEG-1 audio"), 0x04: (.audio, "MPEG-2 audio"), 0x0F: (.audio, "AAC"),
        0x11: (.audio, latm), 0x2D: (.audio, "MPEG-H"), 0x2E: (.audio, "MPEG-H"), 0x80: (.audio, "LPCM"),
        0x81: (.audio, "AC-3"), 0x82: (.audio, "DTS"), 0x83: (.audio, "TrueHD"), 0x84: (.audio, "E-AC-3"),
        0x85: (.audio, "DTS-HD"), 0x87: (.audio, "E-AC-3"), 0x88: (.audio, "DTS-UHD"), 0x8A: (.audio, "DTS"),
        0x86: (.other, "SCTE 35, or DTS-HD"), 0x05: (.other, "sections"), 0x15: (.other, "timed metadata"),
        0x90: (.subtitle, "PGS"),
    ]
    private static let registrations: [String: (Kind, String)] = [
        "AC-3": (.audio, "AC-3"), "EAC3": (.audio, "E-AC-3"), "AC-4": (.audio, "AC-4"), "Opus": (.audio, "Opus"),
        "DTS1": (.audio, "DTS"), "DTS2": (.audio, "DTS"), "DTS3": (.audio, "DTS"), "DTSH": (.audio, "DTS-HD"),
        "BSSD": (.audio, "AES3"), "HEVC": (.video, "HEVC"), "AV01": (.video, "AV1"), "VC-1": (.video, "VC-1"),
        "drac": (.video, "Dirac"), "VANC": (.other, "ancillary data"), "KLVA": (.other, "KLV"),
        "ID3 ": (.other, "timed metadata"),
    ]
    private static let tags: [UInt8: (Kind, String)] = [
        0x6A: (.audio, "AC-3"), 0x7A: (.audio, "E-AC-3"), 0x7B: (.audio, "DTS"), 0x7C: (.audio, "AAC"),
        0x59: (.subtitle, "DVB"), 0x56: (.subtitle, "teletext"),
    ]
    private static let extensions: [UInt8: (Kind, String)] = [
        0x0E: (.audio, "DTS-HD"), 0x15: (.audio, "AC-4"), 0x21: (.audio, "DTS-UHD"), 0x20: (.subtitle, "TTML"),
    ]
}

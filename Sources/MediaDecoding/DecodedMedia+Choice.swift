import CLibAV
package import SystemPackage

extension DecodedMedia {
    /// Whether GStreamer (1.22) is not to be asked first: of a kind of file that it has no demuxer for but libavformat's own, or none, it gives
    /// nothing, the first frame, all without times, or nothing for ever. Blocks.
    package static func isNeeded(for location: FilePath, named name: FilePath) -> Bool {
        if let ending = name.extension?.lowercased(), endings.contains(ending) { return true }
        let head = head(of: location)
        return heads.contains { head.dropFirst($0.offset).starts(with: $0.bytes) }
            || hasRateOfOthers(head) || isWavPackOfDSD(head)
            // Animated PNG: its control chunk comes before the first image.
            || head.starts(with: [0x89, 0x50, 0x4E, 0x47])
                && head.indices.contains { head[$0...].starts(with: "acTL".utf8) }
    }

    /// Whether it is MPEG-1 without a container whose rate has a number beyond those of the standard (ISO/IEC 11172-2, 2.4.3.2: 8 are the
    /// most), as Xing's encoder wrote 9 for 15 frames a second: GStreamer (1.22) takes any for 30.
    private static func hasRateOfOthers(_ head: [UInt8]) -> Bool {
        head.starts(with: [0, 0, 1, 0xB3]) && head.count > 7 && head[7] & 0xF > 8
    }

    /// Whether it is WavPack of one bit a sample (WavPack's "File Format", flag 31), which no demuxer of GStreamer (1.22) knows: what its bits
    /// look like, such as H.263, is found in it.
    private static func isWavPackOfDSD(_ head: [UInt8]) -> Bool {
        head.starts(with: "wvpk".utf8) && head.count > 27 && head[27] & 0x80 != 0
    }

    /// Whether it is described best by libavformat, whoever reads it for an export: of MXF and DV GStreamer (1.22) counts other frames where
    /// each lies in two parts (DV of 50 Mbit/s), and one where there is no index. Blocks.
    package static func isDescription(of location: FilePath) -> Bool {
        let head = head(of: location)
        return head.starts(with: [0x06, 0x0E, 0x2B, 0x34]) || head.starts(with: [0x1F, 0x07, 0x00])
    }

    /// Whether it is AVI, Windows Media, Flash video or a program or transport stream, of which the ending of audio alone is another. Blocks.
    package static func mayHoldVideo(_ location: FilePath) -> Bool {
        let head = head(of: location)
        return head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "AVI ".utf8)
            || [[0x30, 0x26, 0xB2, 0x75], [0x46, 0x4C, 0x56], [0, 0, 1, 0xBA], [0x47]].contains {
                head.starts(with: $0)
            }
            || head.dropFirst(4).starts(with: [0x47])
    }

    private static func head(of location: FilePath) -> [UInt8] {
        guard let file = try? FileDescriptor.open(location, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return []
        }
        defer { try? file.close() }
        return [UInt8](unsafeUninitializedCapacity: 1 << 10) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
    }

    private struct Head: Sendable {
        let offset: Int
        let bytes: [UInt8]

        init(_ offset: Int, _ text: String) { (self.offset, bytes) = (offset, Array(text.utf8)) }
        init(_ bytes: [UInt8]) { (offset, self.bytes) = (0, bytes) }
    }

    /// How those files begin.
    private static let heads: [Head] = [
        // NUT; MacroSystem's audio (MAUD); DSDIFF.
        // TTA, of which ttaparse (1.22) waits for ever for what was cut off.
        Head(0, "TTA1"),
        Head(0, "nut/multimedia container"), Head(8, "MAUD"), Head(12, "DSD "),
        // GXF; Windows Television; Flash movies; those of games: Sega's, id's, Smacker, Bink, Interplay's, 4X', Westwood's, Electronic Arts'; NSV and so on.
        Head([0, 0, 0, 0, 1, 0xBC]), Head([0xB7, 0xD8, 0x00, 0x20, 0x37, 0x49, 0xDA, 0x11]), Head(0, "FWS"),
        Head(0, "CWS"),
        Head(0, "FILM"), Head([0x84, 0x10, 0xFF, 0xFF, 0xFF, 0xFF]), Head(0, "SMK2"), Head(0, "SMK4"), Head(0, "BIK"),
        Head(0, "KB2"), Head(0, "Interplay MVE File"), Head(8, "4XMV"), Head(8, "WVQA"), Head(0, "SCHl"),
        Head(0, "1SNh"),
        Head(0, "MVhd"), Head(0, "NSVf"), Head(0, "NSVs"),
        Head(0, "NuppelVideo"), Head(0, "MythTVVideo"), Head(0, "THP\0"), Head(0, "DEXA"), Head(0, "LMLM4"),
        // AMV; animated images; raw video with a head of its own; Dirac and DNxHD without a container.
        Head(8, "AMV "), Head(0, "SIMPLE  ="), Head([0, 0x0A] + Array("SMJPEG".utf8)), Head(0, "YUV4MPEG2"),
        Head(0, "BBCD"),
        // DPX, in which film is scanned (SMPTE ST 268-1), in either order of bytes: GStreamer (1.22) takes it for audio; OpenEXR, in which it
        // is rendered.
        Head(0, "SDPX"), Head(0, "XPDS"), Head([0x76, 0x2F, 0x31, 0x01]),
        Head([0, 0, 2, 0x80, 1]), Head([0, 0, 2, 0x80, 2]),
    ]

    /// Of audio that GStreamer (1.22) has no demuxer for.
    private static let endings: Set = [
        "302", "adx", "apm", "aptx", "aptxhd", "ast", "aud", "bonk", "c2", "cvg", "dfpwm", "fap", "g722", "gsm", "hcom",
        "mlp", "paf", "rso", "sds", "shn", "sln", "sox", "tak", "tco", "thd", "tta", "tun", "vag", "vqf", "wve",
    ]

    /// Whether the libraries are installed.
    package static var isAvailable: Bool { FormatLibrary.shared != nil }

    /// What ffprobe calls the codec of video that QuickTime or AVI name so, in letters of either case; nil where it has no name.
    package static func codec(named tag: String) -> String? { FormatLibrary.shared?.codec(named: tag) }

    /// The Debian package that is to be installed where they are not.
    package static var package: String { "libavformat\(LIBAVFORMAT_VERSION_MAJOR)" }
}

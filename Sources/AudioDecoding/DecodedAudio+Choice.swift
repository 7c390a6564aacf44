import CLibAV
package import SystemPackage

extension DecodedAudio {
    /// Whether GStreamer (1.22) is not to be asked first: it finds nothing in NUT, in MacroSystem's audio (MAUD) and in DSDIFF for ever, of
    /// Westwood's audio it gives the first block, and what has hardly a head, or none, it may take for MP3. Blocks.
    package static func isNeeded(for location: FilePath, named name: FilePath) -> Bool {
        if let ending = name.extension?.lowercased(), endings.contains(ending) { return true }
        guard let file = try? FileDescriptor.open(location, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return false
        }
        defer { try? file.close() }
        let head = [UInt8](unsafeUninitializedCapacity: 24) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        return head.starts(with: "nut/multimedia container".utf8)
            || head.starts(with: "FORM".utf8) && head.dropFirst(8).starts(with: "MAUD".utf8)
            || head.starts(with: "FRM8".utf8) && head.dropFirst(12).starts(with: "DSD ".utf8)
    }

    /// Of audio that GStreamer (1.22) has no demuxer for.
    private static let endings: Set = [
        "302", "adx", "apm", "aptx", "aptxhd", "ast", "aud", "bonk", "c2", "cvg", "dfpwm", "fap", "g722", "gsm", "hcom",
        "mlp", "paf", "rso", "sds", "shn", "sln", "sox", "tak", "tco", "thd", "tun", "vag", "vqf", "wve",
    ]

    /// Whether the libraries are installed.
    package static var isAvailable: Bool { FormatLibrary.shared != nil }

    /// The Debian package that is to be installed where they are not.
    package static var package: String { "libavformat\(LIBAVFORMAT_VERSION_MAJOR)" }
}

/// The codecs whose frames name parameter sets by numbers.
enum ParameterSetCodec: Sendable {
    case avc, hevc

    /// By a sample description, whose parameter sets lie in it and not among the frames.
    init?(format: FourCC) {
        switch format {
        case "avc1": self = .avc
        case "hvc1", "hev1": self = .hevc
        default: return nil
        }
    }

    var record: FourCC { self == .avc ? "avcC" : "hvcC" }

    /// What a unit is (ITU-T H.264 table 7-1, H.265 table 7-1).
    enum Kind {
        case vps, sps, pps
        /// `isClosed`: of a frame that nothing after it reaches behind (IDR).
        case frame(isClosed: Bool)
        case other
    }

    /// - Parameter byte: The unit's first.
    func kind(_ byte: UInt8) -> Kind {
        switch self {
        case .avc:
            switch byte & 0x1F {
            case 1...4: .frame(isClosed: false)
            case 5: .frame(isClosed: true)
            case 7: .sps
            case 8: .pps
            default: .other
            }
        case .hevc:
            switch byte >> 1 & 0x3F {
            case 19, 20: .frame(isClosed: true)
            case 0...31: .frame(isClosed: false)
            case 32: .vps
            case 33: .sps
            case 34: .pps
            default: .other
            }
        }
    }

    /// Bits before a unit's own first field.
    var headerSize: Int { self == .avc ? 8 : 16 }
}

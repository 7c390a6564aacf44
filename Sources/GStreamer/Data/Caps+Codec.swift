import CGStreamer
import MediaTypes

/// What a decoder has to know before the first packet, such as `avcC` and `hvcC`, as encoders and parsers hand it on.
extension Caps {
    /// Of the first media type; `nil` where there is none.
    package var codecData: [UInt8]? {
        first?["codec_data"]?.bytes
    }

    /// The packets that a stream of Ogg's codecs begins with, in whatever container.
    package var streamHeaders: [[UInt8]] {
        guard case .array(let headers)? = first?["streamheader"] else { return [] }
        return headers.compactMap(\.bytes)
    }

    /// The first media type with other ones.
    package func with(codecData: [UInt8]) -> Caps {
        with("codec_data", FieldValue(buffer: codecData))
    }

    /// The first media type with other packets that the stream begins with.
    package func with(streamHeaders: [[UInt8]]) -> Caps {
        with("streamheader", .array(streamHeaders.map { FieldValue(buffer: $0) }))
    }

    private func with(_ field: String, _ value: FieldValue) -> Caps {
        guard let format = first else { return self }
        return Caps(format.name, format.fields.merging([field: value]) { $1 })
    }
}

extension FieldValue {
    fileprivate init(buffer bytes: [UInt8]) {
        let digits = Array("0123456789abcdef")
        self = .other(type: "GstBuffer", text: String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
    }

    /// Of a buffer, as it is written in text; `nil` of all else.
    fileprivate var bytes: [UInt8]? {
        guard case .other(_, let text) = self else { return nil }
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard !digits.isEmpty, digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension Caps {
    /// What people call the codec, such as "MPEG-4 AAC"; its media type where nobody has named it.
    package var codecName: String {
        gst_pb_utils_init()
        let media = first?.name ?? "unknown"
        // What qtdemux (1.22) makes of a description that it does not know.
        if let code = media.split(separator: "-").last, media.contains("/x-gst-fourcc-") {
            return Self.unreadable[String(code)] ?? "'\(code)'"
        }
        // Of what it does not know it says the media type.
        let name = isFixed ? takenString(gst_pb_utils_get_codec_description(pointer)) : nil
        return name.flatMap { $0 == media ? nil : $0 } ?? CodecIdentifiers(mediaType: media)?.displayName ?? media
    }
    private static let unreadable = [
        "dtse": "DTS Express", "dtsx": "DTS:X", "dtsy": "DTS-UHD", "mha1": "MPEG-H", "mhm1": "MPEG-H",
        "ac_4": "AC-4", "iamf": "IAMF",
    ]
}

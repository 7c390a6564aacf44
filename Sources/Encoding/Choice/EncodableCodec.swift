/// An element that can write a codec here, or what is missing for it.
package struct EncodableCodec: Sendable, Equatable, Encodable {
    /// The codec's name: the raw value of its ``VideoCodec`` or ``AudioCodec``.
    package var codec: String
    /// The names of the codec's profiles, such as the raw values of ``ProResProfile``; empty where there are none.
    package var profiles: [String]
    /// The GStreamer element.
    package var element: String
    /// Whether a special part of the machine does the work.
    package var isHardware: Bool
    /// Whether the element is installed, and for hardware, whether the machine has it.
    package var isAvailable: Bool
    /// The speeds that can be asked of it, slowest first; some are for files or for recordings only. Empty where there is one.
    package var speeds: [String]
    /// The Debian package that brings the element.
    package var package: String

    /// Software that is no element and is one speed of one profile.
    package init(codec: String, element: String, isAvailable: Bool, package: String) {
        self.init(
            codec: codec, profiles: [], element: element, isHardware: false, isAvailable: isAvailable, speeds: [],
            package: package)
    }

    init(
        codec: String, profiles: [String], element: String, isHardware: Bool, isAvailable: Bool, speeds: [String],
        package: String
    ) {
        (self.codec, self.profiles, self.element, self.isHardware) = (codec, profiles, element, isHardware)
        (self.isAvailable, self.speeds, self.package) = (isAvailable, speeds, package)
    }

    /// Every element that writes a codec, video first, in order of preference; those that are not installed too.
    ///
    /// - Throws: ``RushesError`` if the environment variable `RUSHES_PIPELINES` names a folder without encoder tables.
    package static func all() throws -> [EncodableCodec] { try EncoderTables(.find()).encodableCodecs() }

    enum CodingKeys: String, CodingKey {
        case codec, profiles, element
        case isHardware = "hardware"
        case isAvailable = "available"
        case speeds
        case package
    }
}

extension EncoderTables {
    /// Every element of every table, video first, in order of preference.
    package func encodableCodecs(installed: InstalledElements = .registry) -> [EncodableCodec] {
        Self.codecs.compactMap { try? table($0) }.flatMap { table in
            table.encoders.map { entry in
                EncodableCodec(
                    codec: table.codec, profiles: table.profiles, element: entry.element, isHardware: entry.isHardware,
                    isAvailable: installed.contains(entry.element),
                    speeds: entry.speeds.count > 1 ? entry.speeds.map(\.name) : [],
                    package: entry.package)
            }
        }
    }
}

import Errors
import GStreamer

/// One element of an ``EncoderTable``.
package struct EncoderEntry: Sendable, Equatable {
    /// The GStreamer element.
    package let element: String
    /// The Debian package that brings it.
    package let package: String
    /// Whether a special part of the machine does the work.
    package let isHardware: Bool
    /// Keys of the element's own group, such as `smallest`; see the format's description.
    let attributes: Settings
    /// Its other groups by what follows the element's name: "live", "quality", "profile hq".
    let groups: [String: Settings]
    /// Slowest first.
    let speeds: [EncoderSpeed]

    init(_ element: String, of file: KeyFile, codec: String) throws(RushesError) {
        guard let own = file[element], let package = own["package"], let hardware = own["hardware"] else {
            throw RushesError(
                .noPipelineFiles, "\(codec).conf has no group [\(element)] with package and hardware")
        }
        self.element = element
        self.package = package
        isHardware = hardware == "true"
        attributes = Settings(own)
        var groups: [String: Settings] = [:]
        var speeds: [EncoderSpeed] = []
        for group in file.groups where group.name.hasPrefix(element + " ") {
            let kind = String(group.name.dropFirst(element.count + 1))
            if kind.hasPrefix("speed ") {
                speeds.append(try EncoderSpeed(String(kind.dropFirst(6)), group, codec: codec))
            } else {
                groups[kind] = Settings(group)
            }
        }
        self.groups = groups
        self.speeds = speeds
    }
}

/// The entries of one group, in the order of the file.
struct Settings: Sendable, Equatable {
    var entries: [PipelineDescription.Property]

    init(_ group: KeyFile.Group) {
        entries = group.entries.map { .init($0.key, .text($0.value)) }
    }

    subscript(_ key: String) -> String? { entries.last { $0.name == key }?.value.description }
    func number(_ key: String) -> Double? { self[key].flatMap(Double.init) }
    func integer(_ key: String) -> Int? { self[key].flatMap { Int($0) } }
    func list(_ key: String) -> [String] { self[key]?.split(separator: ";").map(String.init) ?? [] }

    /// The elements' properties among the entries: those keys that the format does not use for itself.
    var properties: [PipelineDescription.Property] { entries.filter { !Self.reserved.contains($0.name) } }

    /// `cost`, `for`, `most-threads` and the attributes that a profile may override.
    static let reserved: Set<String> = [
        "cost", "for", "most-threads", "formats-8", "formats-10", "formats-alpha", "output",
    ]
}

/// A trade of CPU time for size.
package struct EncoderSpeed: Sendable, Equatable {
    /// The table's name for it, such as "fast".
    package let name: String
    /// CPU nanoseconds per pixel on one core.
    package let cost: Double
    let purposes: Set<EncodingPurpose>
    /// Whether it is only for recordings on a machine that has too little left for the others.
    let isForRelief: Bool
    /// Whether it is only for exports that ask for it by its name.
    let isOnlyNamed: Bool
    /// How many cores it can use at most; `nil`: as many as there are.
    let threads: Double?
    let settings: Settings

    init(_ name: String, _ group: KeyFile.Group, codec: String) throws(RushesError) {
        guard let cost = group["cost"].flatMap(Double.init), cost > 0 else {
            throw RushesError(.noPipelineFiles, "\(codec).conf has no cost in [\(group.name)]")
        }
        self.name = name
        self.cost = cost
        let purposes = group.list("for").compactMap(EncodingPurpose.init(rawValue:))
        isForRelief = group["for"] == "relief"
        isOnlyNamed = group["for"] == "named"
        self.purposes =
            isOnlyNamed ? [.export] : isForRelief ? [.live] : purposes.isEmpty ? [.live, .export] : Set(purposes)
        threads = group["most-threads"].flatMap(Double.init)
        settings = Settings(group)
    }
}

/// What is encoded for: a recording must keep up and lose little when killed, a file may take its time.
package enum EncodingPurpose: String, Sendable, Hashable {
    case live
    case export
}

import CPulse

/// A source of a sound server: a microphone, or the monitor of a loudspeaker.
package struct PulseSource: Sendable, Hashable {
    /// The server's number for it, which no other source gets as long as the server runs.
    package var index: UInt32
    /// The name that stays the same after a restart.
    package var name: String
    /// The name for people.
    package var description: String
    /// Whether it hears what a loudspeaker plays, and the name of that, where the server tells.
    package var isMonitor = false
    package var loudspeaker: String?
    /// Whether somebody has silenced it in the server: muted, or its volume at nothing.
    package var isMuted = false
    /// Of its channels together, as sound settings show it: 1 is 100 %.
    package var volume = 1.0
    /// The same in decibels; 0 is 100 %, and silence is minus infinity.
    package var decibels = 0.0
    /// The device's own, where the server tells: PipeWire's does, PulseAudio's gives a client any number.
    package var channels: Int?
    /// What it and the stream that feeds it belong to, where it is made from another source.
    package var chain: Set<PulseChain> = []

    package init(index: UInt32, name: String, description: String) {
        (self.index, self.name, self.description) = (index, name, description)
    }
}

/// A stream that records a source: a program's, or one of the server's own that feeds another source.
package struct PulseSourceOutput: Sendable, Hashable {
    package var index: UInt32
    /// The source it records; `nil` while it has none.
    package var source: UInt32?
    package var isMuted = false
    package var chain: Set<PulseChain> = []

    package init(index: UInt32, source: UInt32?) { (self.index, self.source) = (index, source) }
}

/// What shows that a source and a stream are the two ends of one filter.
package enum PulseChain: Sendable, Hashable {
    /// PulseAudio: one module made both.
    case module(UInt32)
    /// PipeWire: both nodes are of one group.
    case linkGroup(String)
}

/// All that a server said of its sources at one time.
package struct PulseSnapshot: Sendable, Hashable {
    /// Which question this is the answer to; later ones are greater.
    package var serial = 0
    /// The name of the default source; `nil` while there is none.
    package var defaultSource: String?
    /// The name of the default loudspeaker; `nil` while there is none.
    package var defaultLoudspeaker: String?
    package var sources: [PulseSource] = []
    package var outputs: [PulseSourceOutput] = []

    package init() {}

    package func source(named name: String) -> PulseSource? { sources.first { $0.name == name } }

    /// The default source, if it is a microphone.
    package var defaultMicrophone: PulseSource? {
        defaultSource.flatMap(source(named:)).flatMap { $0.isMonitor ? nil : $0 }
    }

    /// The source that another one is made from.
    package func origin(of source: PulseSource) -> PulseSource? {
        guard !source.chain.isEmpty,
            let feeding = outputs.first(where: { !$0.chain.isDisjoint(with: source.chain) })?.source
        else { return nil }
        return sources.first { $0.index == feeding && $0.index != source.index }
    }
}

extension PulseSource {
    /// 100 %.
    private static let norm: pa_volume_t = 0x10000

    init?(_ info: pa_source_info, _ pulse: PulseLibrary) {
        guard let name = info.name else { return nil }
        let words = info.description.map { String(cString: $0) } ?? ""
        self.init(index: info.index, name: String(cString: name), description: words)
        if description.isEmpty { description = self.name }
        func property(_ key: String) -> String? { pulse.property(info.proplist, key).map { String(cString: $0) } }
        // PipeWire's monitors do not always say so, but are named by a rule.
        isMonitor =
            info.monitor_of_sink != UInt32.max || property("device.class") == "monitor"
            || property("stream.monitor") == "true" || self.name.hasSuffix(".monitor")
        loudspeaker = info.monitor_of_sink_name.map { String(cString: $0) }
        var volume = info.volume
        isMuted = info.mute != 0 || pulse.maximum(&volume) == 0
        let average = pulse.average(&volume)
        (self.volume, decibels) = (Double(average) / Double(PulseSource.norm), pulse.decibels(average))
        channels = property("audio.channels").flatMap { Int($0) }
        chain = PulseChain.of(module: info.owner_module, info.proplist, pulse)
    }
}

extension PulseSourceOutput {
    init(_ info: pa_source_output_info, _ pulse: PulseLibrary) {
        self.init(index: info.index, source: info.source == UInt32.max ? nil : info.source)
        var volume = info.volume
        isMuted = info.mute != 0 || (info.has_volume != 0 && pulse.maximum(&volume) == 0)
        // A client's stream belongs to no filter, though a module (the protocol's) made it.
        chain = info.client == UInt32.max ? PulseChain.of(module: info.owner_module, info.proplist, pulse) : []
        if let group = PulseChain.group(info.proplist, pulse) { chain.insert(.linkGroup(group)) }
    }
}

extension PulseChain {
    fileprivate static func of(module: UInt32, _ properties: OpaquePointer?, _ pulse: PulseLibrary) -> Set<PulseChain> {
        Set(
            [module == UInt32.max ? nil : .module(module), group(properties, pulse).map(PulseChain.linkGroup)]
                .compactMap(
                    \.self))
    }

    fileprivate static func group(_ properties: OpaquePointer?, _ pulse: PulseLibrary) -> String? {
        properties.flatMap { pulse.property($0, "node.link-group") }.map { String(cString: $0) }
    }
}

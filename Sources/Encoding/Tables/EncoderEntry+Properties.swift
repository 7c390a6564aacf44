import GStreamer

/// How an element is set for one task.
struct EncoderTask {
    var purpose: EncodingPurpose
    var bitDepth: Int
    var profile: String?
    var speed: EncoderSpeed?
    /// Exactly one of the two is used: the element's own unit of quality, or bits per second.
    var control: Control
    var pass: EncodingPass?
    /// Frames a second; 0 for audio.
    var rate: Double
    /// Where frames come more slowly than the movie shows them, how many come in a second.
    var arrivalRate: Double?
    var cores: Int

    enum Control: Equatable { case quality(Int), bitrate(Int), none }
}

extension EncoderEntry {
    /// The properties for a task: the groups one over the other, with the placeholders replaced.
    func properties(for task: EncoderTask) -> [PipelineDescription.Property] {
        var layers: [Settings?] = [groups["properties"], groups[task.purpose.rawValue]]
        if task.purpose == .live, let slow = attributes.number("slow-rate"), task.arrivalRate ?? task.rate < slow {
            layers.append(groups["slow-rate"])
        }
        if task.purpose == .export, task.rate < Self.slowExportRate { layers.append(groups["slow-export"]) }
        if task.cores == 1 { layers.append(groups["one-core"]) }
        switch task.control {
        case .quality: layers.append(groups["quality"])
        case .bitrate: layers.append(groups["bitrate"])
        case .none: break
        }
        layers.append(task.pass.flatMap { groups[$0.group] })
        layers.append(groups["depth \(task.bitDepth)"])
        layers.append(task.profile.flatMap { groups["profile \($0)"] })
        layers.append(task.speed?.settings)
        return Self.merged(layers.compactMap { $0 }).map {
            .init($0.name, .text(replacingPlaceholders(in: $0.value.description, task)))
        }
    }

    /// Frames a second below which those of files have settings of their own.
    private static let slowExportRate = 2.0

    /// Later layers win, but keep the place of the first; the parts of an option string are joined.
    static func merged(_ layers: [Settings]) -> [PipelineDescription.Property] {
        var result: [PipelineDescription.Property] = []
        for property in layers.flatMap(\.properties) {
            guard let index = result.firstIndex(where: { $0.name == property.name }) else {
                result.append(property)
                continue
            }
            let joins = property.name == "option-string"
            result[index].value = joins ? .text("\(result[index].value):\(property.value)") : property.value
        }
        return result
    }

    private func replacingPlaceholders(in text: String, _ task: EncoderTask) -> String {
        guard text.contains("{") else { return text }
        let tenSeconds = max(1, Int((10 * task.rate).rounded()))
        // Files of few frames a second need not begin anew with every second one.
        let least = task.purpose == .export ? min(10, tenSeconds) : 1
        var values = [
            "keyframes": max(least, Int((2 * task.rate).rounded())),
            "export-keyframes": min(250, tenSeconds),
            "threads": max(1, min(task.cores, attributes.integer("threads-limit") ?? 64)),
            "double-threads": task.cores > 4 ? 0 : 2 * max(1, task.cores),
        ]
        switch task.control {
        case .quality(let value): values["quality"] = value
        case .bitrate(let value): values["bitrate"] = max(1, value / max(1, attributes.integer("bitrate-unit") ?? 1))
        case .none: break
        }
        let replaced = values.reduce(text) { $0.replacing("{\($1.key)}", with: String($1.value)) }
        return task.pass.map { replaced.replacing("{statistics}", with: $0.statistics) } ?? replaced
    }

    /// The element's own unit for a quality of 0 to 100, or for its default.
    func nativeQuality(_ quality: Int?) -> Int {
        let range = attributes.list("quality-range").compactMap(Double.init)
        guard range.count == 2 else { return 0 }
        let wanted = Double(min(100, max(0, quality ?? attributes.integer("quality") ?? 60)))
        return Int((range[0] + (range[1] - range[0]) * wanted / 100).rounded())
    }
}

/// One of two passes over the same frames: the first only learns how hard each of them is, the second spends the bits by that.
package enum EncodingPass: Sendable, Hashable {
    /// Nothing of what it encodes is kept. The statistics are a file that it writes, named by a path of letters that no
    /// option of an encoder reads as its own, so without a colon.
    case first(statistics: String)
    case second(statistics: String)

    var statistics: String {
        switch self {
        case .first(let path), .second(let path): path
        }
    }

    /// The name of its group in an encoder table.
    var group: String {
        switch self {
        case .first: "first-pass"
        case .second: "second-pass"
        }
    }
}

/// One of the constant qualities that an encoder knows.
package struct QualityLevel: Sendable, Hashable {
    /// From 0 to 100, as ``RateControl/quality(_:)`` has it.
    package var quality: Int
    /// The same in the element's own unit, such as x264's CRF.
    package var native: Int
}

extension EncoderEntry {
    /// Every quality that is another one for the element, worst first; empty where it has no constant quality.
    var qualityLevels: [QualityLevel] {
        guard hasQuality else { return [] }
        var levels: [QualityLevel] = []
        for quality in 0...100 where nativeQuality(quality) != levels.last?.native {
            levels.append(QualityLevel(quality: quality, native: nativeQuality(quality)))
        }
        return levels
    }

    /// What people call the element's own unit.
    var qualityName: String { attributes["quality-name"] ?? "quantiser" }
}

import Errors
import MediaTypes

/// Finds the one device of a kind that a person means.
struct DeviceMatch {
    let kind: CaptureDevice.Kind
    let devices: [CaptureDevice]
    /// Nodes of cameras that this user may not open: nobody lists what is behind them.
    private let forbidden: [String]

    init(_ kind: CaptureDevice.Kind, _ devices: [CaptureDevice], forbidden: [String]? = nil) {
        self.kind = kind
        self.forbidden =
            kind == .camera ? forbidden ?? Servers.videoNodes().filter { !Servers.mayOpen($0) } : []
        // The word "test" is read before any device is looked for.
        self.devices = devices.filter { $0.kind == kind && $0.backend != .test }
    }

    private var help: String {
        "\(Term.devices) lists what there is\(kind == .camera ? Term.orNoCamera : .orNoMicrophone)"
    }

    private var noun: String { kind == .monitor ? "loudspeaker" : kind.rawValue }

    func defaultDevice() throws(RushesError) -> CaptureDevice {
        if let device = devices.first(where: \.isDefault) { return device }
        if !forbidden.isEmpty {
            throw RushesError(.deviceForbidden, on: forbidden.first, Servers.words(forbidden: forbidden))
        }
        guard devices.isEmpty else {
            throw RushesError(.deviceNotFound, "no \(noun) is the default here; \(help)")
        }
        throw RushesError(.deviceNotFound, "no \(noun) was found; \(help)")
    }

    /// By id, by device file, by the whole name, then by a part of the name; capitals do not matter in names.
    func device(named text: String) throws(RushesError) -> CaptureDevice {
        if let device = devices.first(where: { $0.id == text }) ?? devices.first(where: { $0.path == text }) {
            return device
        }
        let wanted = text.lowercased()
        for matches in [
            devices.filter { $0.name.lowercased() == wanted }, devices.filter { $0.name.lowercased().contains(wanted) },
        ] {
            if matches.count == 1 { return matches[0] }
            if matches.count > 1 { throw ambiguous(text, matches) }
        }
        throw unknown(text)
    }

    private func ambiguous(_ text: String, _ matches: [CaptureDevice]) -> RushesError {
        let list = matches.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
        return RushesError(
            .ambiguousDevice, on: text,
            "“\(text)” fits \(matches.count) \(kind.rawValue)s: \(list); name one by its id")
    }

    private func unknown(_ text: String) -> RushesError {
        if !forbidden.isEmpty {
            return RushesError(.deviceForbidden, on: forbidden.first, Servers.words(forbidden: forbidden))
        }
        let near = devices.filter { device in [device.name, device.id].contains { Spelling.isNear(text, $0) } }
            .map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.prefix(3)
        let cure = near.isEmpty ? help : "did you mean \(near.joined(separator: " or "))?"
        return RushesError(.deviceNotFound, on: text, "no \(kind.rawValue) is called “\(text)”; \(cure)")
    }
}

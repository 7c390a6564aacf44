package import Errors

/// What a person names as camera or microphone, before it is known which devices are there.
package enum SourceSelection: Sendable, Hashable {
    case defaultDevice
    /// What the default loudspeaker plays.
    case speakers
    case none
    case testPattern(TestPattern)
    case testTone(TestTone)
    /// GStreamer elements as for gst-launch, after `gst:`.
    case launchLine(String)
    /// A stable id, a device file, or a part of a name.
    case name(String)

    /// Reads a source as a person writes it; the words `default`, `none`, `test` and, of audio, `speakers` win over names of devices.
    ///
    /// - Throws: ``RushesError`` for an empty text or a bad option of `test:`.
    package init(_ text: String, for kind: CaptureDevice.Kind) throws(RushesError) {
        if text == "default" {
            self = .defaultDevice
        } else if text == "speakers", kind == .microphone {
            self = .speakers
        } else if text == "none" {
            self = .none
        } else if text == "test" || text.hasPrefix("test:") {
            let options = try TestOptions(String(text.dropFirst("test:".count)), of: text)
            self = kind == .camera ? .testPattern(try options.frame()) : .testTone(try options.tone())
        } else if text.hasPrefix("gst:") {
            let line = text.dropFirst("gst:".count).drop(while: \.isWhitespace)
            guard !line.isEmpty else {
                throw RushesError(.badSource, "gst: needs elements as for gst-launch-1.0, such as gst:videotestsrc")
            }
            self = .launchLine(String(line))
        } else if text.allSatisfy(\.isWhitespace) {
            throw RushesError(
                .badSource,
                "a \(kind.rawValue)'s name cannot be empty; \(Term.devices) lists them, none and test exist")
        } else {
            self = .name(text)
        }
    }

    /// Whether devices must be looked for to know what is meant.
    package var needsDevices: Bool {
        switch self {
        case .defaultDevice, .speakers, .name: true
        case .none, .testPattern, .testTone, .launchLine: false
        }
    }

    /// The camera that is meant; `nil` for none.
    ///
    /// - Parameter devices: those present; left empty where ``needsDevices`` is false.
    /// - Throws: ``RushesError`` if no device fits, or more than one.
    package func videoSource(among devices: [CaptureDevice]) throws(RushesError) -> VideoSource? {
        switch self {
        case .none, .speakers: nil
        case .testPattern(let frame): .test(frame)
        case .testTone: .test(TestPattern())
        case .launchLine(let line): .launchLine(line)
        case .defaultDevice: .device(try DeviceMatch(.camera, devices).defaultDevice())
        case .name(let name): .device(try DeviceMatch(.camera, devices).device(named: name))
        }
    }

    /// The microphone that is meant; `nil` for none.
    ///
    /// - Parameter devices: those present; left empty where ``needsDevices`` is false.
    /// - Throws: ``RushesError`` if no device fits, or more than one.
    package func audioSource(among devices: [CaptureDevice]) throws(RushesError) -> AudioSource? {
        switch self {
        case .none: nil
        case .testTone(let tone): .test(tone)
        case .testPattern: .test(TestTone())
        case .launchLine(let line): .launchLine(line)
        case .defaultDevice: .defaultDevice(try DeviceMatch(.microphone, devices).defaultDevice())
        case .speakers: .device(try DeviceMatch(.monitor, devices).defaultDevice())
        case .name(let name): .device(try Self.audioDevice(named: name, among: devices))
        }
    }

    /// A microphone; where none is called so, a loudspeaker's monitor.
    private static func audioDevice(
        named name: String, among devices: [CaptureDevice]
    ) throws(RushesError) -> CaptureDevice {
        do { return try DeviceMatch(.microphone, devices).device(named: name) } catch {
            guard error.code == .deviceNotFound,
                let monitor = try? DeviceMatch(.monitor, devices).device(named: name)
            else { throw error }
            return monitor
        }
    }
}

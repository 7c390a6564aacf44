public import ActivityPage
public import ArgumentParser
import Capture
import Foundation
public import MediaTypes
public import Encoding
public import LiveActivity

extension VideoCodec: ExpressibleByArgument {
    /// Those of recordings.
    public static var allValueStrings: [String] { allCases.filter { $0 != .gif }.map(\.rawValue) }

    /// By its name in letters of either case, or as others call it.
    public init?(argument: String) {
        let name = argument.lowercased().filter { $0 != "." && $0 != "-" && $0 != "_" }
        let others: [String: VideoCodec] = [
            "h265": .hevc, "x265": .hevc, "avc": .h264, "x264": .h264, "motionjpeg": .mjpeg, "mjpg": .mjpeg,
            "libx264": .h264, "libx265": .hevc, "libvpxvp9": .vp9, "libaomav1": .av1, "proresks": .prores,
        ]
        guard let codec = VideoCodec(rawValue: name) ?? others[name] else { return nil }
        self = codec
    }
}
extension AudioCodec: ExpressibleByArgument {}
extension ProResProfile: ExpressibleByArgument {}

/// Decibels as people type them: 6, -3 or 6dB.
struct Decibels: ExpressibleByArgument, Sendable, Equatable {
    let value: Double

    init(_ value: Double) { self.value = value }

    init?(argument: String) {
        let text = argument.lowercased()
        guard
            let value = Double(
                (text.hasSuffix("db") ? text.dropLast(2) : text[...]).trimmingCharacters(in: .whitespaces)),
            value.isFinite
        else { return nil }
        self.value = value
    }

    /// For the help.
    var defaultValueDescription: String { "\(value)" }
}

extension VideoSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Container: ExpressibleByArgument {
    /// With or without the dot of an ending.
    public init?(argument: String) {
        let ending = argument.hasPrefix(".") ? argument.dropFirst() : argument[...]
        guard let container = try? Container(fileName: "movie.\(ending)") else { return nil }
        self = container
    }
}

extension ProgressStyle: ExpressibleByArgument {}
extension ActivityControl: ExpressibleByArgument {}
extension PageAddress: ExpressibleByArgument {}

/// A frame rate as people type it.
struct FrameRateArgument: ExpressibleByArgument, Sendable, Equatable {
    var fraction: Fraction

    init?(argument: String) {
        guard let fraction = Fraction(frameRate: argument) else { return nil }
        self.fraction = fraction
    }
}

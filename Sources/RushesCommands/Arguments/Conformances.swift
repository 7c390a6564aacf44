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
    /// Columns and rows, or as people call what cameras have: `720p`, `1080p`, `4k`, all 16:9.
    public init?(argument: String) {
        let rows = ["480p": 480, "720p": 720, "1080p": 1080, "1440p": 1440, "2160p": 2160, "4k": 2160]
        if let height = rows[argument.lowercased()] {
            self.init((height * 16 / 9 + 1) & ~1, height)
        } else {
            self.init(argument)
        }
    }
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

/// A frame rate as people type it: `30`, `29.97`, `30000/1001` or `30fps`.
struct FrameRateArgument: ExpressibleByArgument, Sendable, Equatable {
    var fraction: Fraction

    init?(argument: String) {
        let text = argument.lowercased()
        let number = text.hasSuffix("fps") ? text.dropLast(3).trimmingCharacters(in: .whitespaces) : text
        guard let fraction = Fraction(frameRate: number) else { return nil }
        self.fraction = fraction
    }
}

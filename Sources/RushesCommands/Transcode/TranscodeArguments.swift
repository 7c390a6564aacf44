public import ArgumentParser
import Export
public import Rushes
import SystemPackage

extension ExportSettings.RotationHandling: ExpressibleByArgument {}

extension TargetQuality: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension ExportSettings.Chroma: ExpressibleByArgument {
    public static var allValueStrings: [String] { ["keep"] + ChromaSubsampling.allCases.map(\.rawValue) }

    public init?(argument: String) {
        if argument == "keep" {
            self = .keep
        } else if let chroma = ChromaSubsampling(rawValue: argument) {
            self = .exactly(chroma)
        } else {
            return nil
        }
    }
}

/// A part of the frame as people type it: `640x360+10+20`, or `auto` for all but black bars.
struct CropArgument: ExpressibleByArgument, Sendable, Equatable {
    /// nil: what is found.
    var area: CropArea?

    init?(argument: String) {
        if argument.lowercased() == "auto" { return }
        let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 3, let size = VideoSize(String(parts[0])), let x = Int(parts[1]), let y = Int(parts[2]),
            (0...65535).contains(x), (0...65535).contains(y)
        else { return nil }
        area = CropArea(x: x, y: y, size: size)
    }
}

/// A part of the input as people type it: `10s-1m30s`, `5m-` for all from there on, `chapters`, and `chapters:2,4-5` for some of them.
struct PartArgument: ExpressibleByArgument, Sendable {
    var choice: PartChoice
    /// nil of chapters.
    var range: TimeRange?
    var text: String

    init?(argument: String) {
        let range = Self.range(argument)
        guard let choice = range.map(PartChoice.range) ?? Self.chapters(argument) else { return nil }
        (self.choice, self.range, text) = (choice, range, argument)
    }

    private static func range(_ text: String) -> TimeRange? {
        let times = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard times.count == 2, let start = TimeSpan(String(times[0])) else { return nil }
        guard !times[1].isEmpty else { return TimeRange(start: start.time) }
        guard let end = TimeSpan(String(times[1])) else { return nil }
        return TimeRange(start: start.time, end: end.time)
    }

    private static func chapters(_ text: String) -> PartChoice? {
        let words = text.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard ["chapters", "chapter"].contains(words[0]) else { return nil }
        guard words.count == 2 else { return .chapters(nil) }
        var numbers: [ClosedRange<Int>] = []
        for word in words[1].split(separator: ",", omittingEmptySubsequences: false) {
            let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first >= 1,
                first <= last
            else { return nil }
            numbers.append(first...last)
        }
        return .chapters(numbers)
    }
}

/// How large frames become as people type it: `1280x720`, `720p`, `1280x` or `x720`.
struct ScaleArgument: ExpressibleByArgument, Sendable, Equatable {
    var size: VideoSize?
    var scale: FrameScale?

    init?(argument: String) {
        (size, scale) = (VideoSize(argument), FrameScale(argument))
        if size == nil, scale == nil { return nil }
    }
}

/// Samples a second as people type them: `44100`, `44.1k`, `48kHz`.
struct SampleRateArgument: ExpressibleByArgument, Sendable, Equatable {
    var rate: Int

    init?(argument: String) {
        var text = argument.lowercased()[...]
        if text.hasSuffix("hz") { text = text.dropLast(2) }
        let factor = text.hasSuffix("k") ? 1000.0 : 1
        if factor > 1 { text = text.dropLast() }
        guard text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(text),
            let rate = Int(exactly: (number * factor).rounded()), ExportSettings.sampleRateRange.contains(rate)
        else { return nil }
        self.rate = rate
    }
}

enum DeinterlaceArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never

    var setting: ExportSettings.Deinterlacing {
        switch self {
        case .auto: .automatic
        case .always: .always
        case .never: .never
        }
    }
}

enum AudioArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case copy, aac, opus, mp3, flac, alac, pcm, none

    var setting: ExportSettings.AudioHandling {
        AudioCodec(rawValue: rawValue).map { .codec($0) } ?? .copy
    }
}

extension ExportSettings {
    /// The settings that the command line asks for.
    init(preset: String, _ conversion: ConversionOptions, _ encoding: ReencodingOptions) {
        self.init(preset: preset)
        encoding.encoder.apply(to: &self)
        targetSize = encoding.targetSize?.bytes
        targetQuality = encoding.targetQuality
        chroma = encoding.chroma
        channels = encoding.channels
        sampleRate = encoding.sampleRate?.rate
        audioBitDepth = encoding.audioBitDepth
        audioDelay = encoding.audioDelay?.time
        audioBitrate = encoding.audioBitrate?.bitsPerSecond
        loudness = encoding.loudness
        audio = encoding.audio?.setting ?? .preset
        reencodes = encoding.reencode
        range = conversion.part.range
        take(parts: conversion.parts.compactMap(\.range))
        crop = conversion.crop?.area
        cropsBlackBars = conversion.crop.map { $0.area == nil } == true ? true : nil
        (size, scale) = (conversion.size?.size, conversion.size?.scale)
        rate = conversion.rate?.fraction
        speed = conversion.speed?.factor
        rotation = conversion.rotation
        deinterlacing = conversion.deinterlace.setting
        videoFilter = conversion.videoFilter
        audioFilter = encoding.audioFilter
        image = conversion.image.map { FilePath(typed: $0) }
        lookupTable = conversion.lut.map { FilePath(typed: $0) }
    }
    /// One part, or several that are joined.
    mutating func take(parts new: [TimeRange]) {
        guard let first = new.first else { return }
        (range, parts) = new.count == 1 ? (first, nil) : (nil, new)
    }
}

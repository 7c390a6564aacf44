import Encoding
import Foundation
import Rushes
import SystemPackage

extension TranscodeCommand {
    static let usualPreset = "hevc"
    static let animationPreset = "gif"

    /// What fits the output's ending.
    var usualPreset: String {
        let ending = output.map { FilePath(typed: $0).extension?.lowercased() } ?? batch.container?.rawValue
        return Self.usualPreset(ending: ending, codec: encoding.encoder.codec, hasImage: conversion.image != nil)
    }

    /// WebM and GIF hold one kind of video; of audio with an image H.264 is what video sites and messengers take.
    static func usualPreset(ending: String?, codec: VideoCodec?, hasImage: Bool) -> String {
        switch ending {
        case "gif": animationPreset
        case "webm": codec == nil ? "webm" : usualPreset
        default: hasImage ? "h264" : usualPreset
        }
    }
}

/// `--preset help`.
enum PresetList {
    /// A preset's name, or a path, from what people type: letters of either case, or a codec, as others call it too.
    static func name(_ argument: String) -> String {
        guard !argument.contains("/"), !argument.hasSuffix(".gep") else { return argument }
        switch VideoCodec(argument: argument) {
        case .prores: return "prores-hq"
        case .vp9: return "webm"
        case let codec: return codec?.rawValue ?? argument.lowercased()
        }
    }

    static func print() throws {
        let files = try PipelineFiles.find()
        for name in files.presets() {
            let preset = try files.preset(name)
            StandardStreams.printResult("\(name.padding(toLength: 14, withPad: " ", startingAt: 0))\(preset.summary)")
        }
    }
}

import Errors
import Foundation
import GStreamer
import ProRes

/// ``ProResEncoder`` as a GStreamer element of this process, `rushesproresenc`. The caps behind it choose the variant.
enum ProResElement {
    /// Registers it once.
    static func register() { _ = isRegistered }

    static let name = "rushesproresenc"

    private static let isRegistered: Bool = {
        let sizes = "width=(int)[1,65535],height=(int)[1,65535]"
        let variants = ProResVariant.allCases.map(\.rawValue).joined(separator: ",")
        // The rows of 4:2:0 are not between those of one field, so interlaced frames come with all of them.
        guard
            let input = try? Caps(
                "video/x-raw,format=(string){I422_10LE,Y42B,Y444_10LE,Y444,A444_10LE},\(sizes);"
                    + "video/x-raw,format=(string){I420,I420_10LE},interlace-mode=(string)progressive,\(sizes)"),
            let output = try? Caps("video/x-prores,variant=(string){\(variants)},\(sizes)")
        else { return false }
        return EncoderElement(
            name: name, longName: "ProRes encoder of Rushes", input: input, output: output, make: Adapter.init
        ).register()
    }()

    /// What gst-launch-1.0 has in its place, for pipelines that are printed: as close as it comes to the same time and size.
    static func standIn(in chain: [PipelineDescription.Node]) -> PipelineDescription.Node {
        let variant = chain.lazy.compactMap { node in
            if case .caps(let caps) = node { caps.first?["variant"]?.stringValue } else { nil }
        }.first
        return .make(
            "avenc_prores_ks", name: "video-encoder",
            ["pass": "quant", "quantizer": 1, "profile": .text(variant ?? "hq"), "threads": "auto"])
    }

    private final class Adapter: FrameEncoder {
        let output: Caps
        private let encoder: ProResEncoder
        private let depth: Plane.Depth
        /// Whether chroma has half the rows.
        private let isHalved: Bool
        private let isFullRange: Bool

        init(frames: Caps, following: Caps) throws {
            let format = frames.first
            let variant = try Self.variant(format: format?["format"]?.stringValue, following)
            let name = format?["format"]?.stringValue ?? ""
            guard let width = format?["width"]?.intValue, let height = format?["height"]?.intValue,
                let layout = FrameLayout(
                    width: width, height: height, chroma: variant.chroma, hasAlpha: name.hasPrefix("A"))
            else { throw RushesError(.invalidSettings, "ProRes has no frames of this size.") }
            (depth, isHalved) = (name.hasSuffix("_10LE") ? .ten : .eight, name.hasPrefix("I420"))
            isFullRange = Colorimetry(frames)?.isFullRange == true
            output = Caps("video/x-prores", ["variant": .string(variant.rawValue)])
            encoder = ProResEncoder(
                layout: layout, variant: variant,
                threads: max(1, min(ProcessInfo.processInfo.activeProcessorCount, Self.mostThreads)))
        }

        /// More rows at a time than this gain nothing: a frame of 4K has 135.
        private static let mostThreads = 8

        private static func variant(format: String?, _ following: Caps) throws(RushesError) -> ProResVariant {
            let chroma: FrameLayout.Chroma =
                ["Y444", "A444"].contains { format?.hasPrefix($0) == true } ? .fourFourFour : .fourTwoTwo
            let wanted = following.first?["variant"]
            // Nothing asked for is what its chroma has best.
            let name = wanted?.stringValue ?? (chroma == .fourFourFour ? "4444" : "hq")
            guard let variant = ProResVariant(rawValue: name), variant.chroma == chroma else {
                throw RushesError(
                    .invalidSettings, "ProRes \(name) does not take frames of the format \(format ?? "?").")
            }
            return variant
        }

        func encode(_ frame: borrowing RawFrame) throws -> [UInt8] {
            encoder.encode(
                frame.planes.enumerated().map { index, plane in
                    Plane(
                        bytes: plane.bytes, stride: plane.stride, width: plane.width, height: plane.height,
                        depth: depth, values: !isFullRange ? .studio : index == 0 ? .fullLuma : .fullChroma,
                        rows: isHalved && index > 0 ? frame.planes[0].height : nil)
                }, frame.isTopFieldFirst.map { $0 ? .topFieldFirst : .bottomFieldFirst } ?? .progressive)
        }
    }
}

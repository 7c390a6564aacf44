import AnimatedImages
import Capture
import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import MediaDecoding
import MediaFilters
import MediaTypes
import Photos
import Subtitles
import SystemPackage

/// One thing that was looked at.
struct Finding: Encodable, Equatable {
    let subject: String
    let isGood: Bool
    /// Whether no movie can be made without.
    var isNeeded = false
    /// What there is, or what to do.
    let text: String

    enum CodingKeys: String, CodingKey {
        case subject, text
        case isGood = "good"
        case isNeeded = "needed"
    }
}

/// Looks at the machine.
enum Checkup {
    static func findings() async throws -> [Finding] {
        let listing = await DeviceDiscovery(includesTestSources: false).listing()
        let tables = try EncoderTables(PipelineFiles.find())
        ProcessorWatch.shared.sample()
        return devices(listing) + recording(tables) + writing(tables.encodableCodecs()) + [animations] + reading
            + [others] + photos + [subtitles, preview, await rotation(), disk]
    }

    private static var preview: Finding {
        do { try PreviewOutput.checkDisplay() } catch {
            return Finding(subject: "Preview", isGood: false, text: error.description)
        }
        return Finding(subject: "Preview", isGood: true, text: "--preview opens a window")
    }

    /// Only of use on machines that are held, and so no fault of the others.
    private static func rotation() async -> Finding {
        let isThere = await RotationCoordinator(position: nil).isAvailable()
        return Finding(
            subject: "Rotation", isGood: isThere,
            text: isThere
                ? "--rotation auto"
                : "no accelerometer; for --rotation auto on a machine that has one: install iio-sensor-proxy")
    }

    private static func devices(_ listing: DeviceDiscovery.Listing) -> [Finding] {
        func found(_ subject: String, _ kind: CaptureDevice.Kind, _ stand: String) -> Finding {
            let names = listing.devices.filter { $0.kind == kind }.map(\.name)
            let text = names.isEmpty ? "none; plug one in, or try \(stand)" : names.joined(separator: "; ")
            return Finding(subject: subject, isGood: !names.isEmpty, text: text)
        }
        return [
            found("Cameras", .camera, "--camera test"), found("Microphones", .microphone, "--microphone test"),
        ] + listing.diagnostics.map { Finding(subject: "Devices", isGood: false, text: $0) }
    }

    /// What usual cameras give.
    private static let sizes = [VideoSize(1920, 1080), VideoSize(1280, 720)]

    /// What a recording would be encoded with now.
    private static func recording(_ tables: EncoderTables) -> [Finding] {
        let cores = MachineCores.now
        return sizes.map { size in
            let request = VideoRequest(
                container: .mov, size: size, rate: Fraction(30), freeCores: cores.free,
                coreSpeed: cores.speed)
            let subject = "Recording \(size) at 30"
            do {
                let encoder = try tables.videoEncoders(for: request).first
                return Finding(
                    subject: subject, isGood: encoder?.isRealTime ?? false, text: encoder?.reason ?? "no encoder")
            } catch { return Finding(subject: subject, isGood: false, isNeeded: true, text: "\(error)") }
        }
    }

    /// Each codec by the encoder that is used, or what to install.
    private static func writing(_ codecs: [EncodableCodec]) -> [Finding] {
        var names: [String] = []
        for codec in codecs where !names.contains(codec.codec) { names.append(codec.codec) }
        return names.compactMap { name in
            let all = codecs.filter { $0.codec == name }
            if let used = all.first(where: \.isAvailable) {
                // PCM is copied as it is, by an element of that name.
                let element = used.element == "identity" ? "built in" : used.element
                let kind = used.isHardware ? "\(element), hardware" : element
                return Finding(subject: "Writing \(name)", isGood: true, text: kind)
            }
            guard let missing = all.first(where: { !$0.isHardware }) else { return nil }
            return Finding(subject: "Writing \(name)", isGood: false, text: "install \(missing.package)")
        }
    }

    private static var animations: Finding {
        let isThere = AnimationLibrary.isAvailable
        return Finding(
            subject: "Writing gif", isGood: isThere,
            text: isThere ? "libavfilter" : "install \(FilterLibrary.package)")
    }

    /// What only one package decodes or draws, with an element that tells whether it is there.
    private static let packages = [
        ("qtmux", "gstreamer1.0-plugins-good", "MOV and MP4"),
        ("avdec_h264", "gstreamer1.0-libav", "H.264, HEVC, ProRes, AAC and most else"),
        ("dav1ddec", "gstreamer1.0-plugins-bad", "AV1"), ("vp9dec", "gstreamer1.0-plugins-good", "VP8 and VP9"),
        ("dtsdec", "gstreamer1.0-plugins-bad", "DTS"),
        ("textoverlay", "gstreamer1.0-x", "--stamp, and words in a recording"),
    ]

    private static var reading: [Finding] {
        packages.map { element, package, what in
            let isThere = ElementFactory.exists(element) || element == "dav1ddec" && ElementFactory.exists("av1dec")
            return Finding(
                subject: element == "textoverlay" ? "Drawing text" : "Reading", isGood: isThere,
                isNeeded: element == "qtmux",
                text: isThere ? what : "\(what): install \(package)")
        }
    }

    /// What GStreamer has no demuxer or no decoder for.
    private static var others: Finding {
        let (isThere, what) = (DecodedMedia.isAvailable, "other kinds of movies and audio, as ffmpeg reads them")
        return Finding(
            subject: "Reading", isGood: isThere, text: isThere ? what : "\(what): install \(DecodedMedia.package)")
    }

    private static var photos: [Finding] {
        PhotoLibraries.load().map { kinds, failure in
            Finding(subject: "Reading", isGood: failure == nil, text: failure?.description ?? kinds)
        }
    }

    private static var subtitles: Finding {
        let subject = "Drawing subtitles"
        do { try SubtitleLibraries.load() } catch {
            return Finding(subject: subject, isGood: false, text: error.description)
        }
        return Finding(subject: subject, isGood: true, text: "--burn-subtitles")
    }

    /// Less than this is soon full.
    private static let little: Int64 = 2_000_000_000

    private static var disk: Finding {
        let folder = FilePath(".")
        if let reason = folder.writeRefusal {
            return Finding(subject: "Disk", isGood: false, text: "this folder cannot be written to (\(reason))")
        }
        let free = freeSpace(folder)
        let text = free.map { "\(Words.size($0)) free in this folder" } ?? "the free space is unknown"
        return Finding(subject: "Disk", isGood: (free ?? little) >= little, text: text)
    }
}

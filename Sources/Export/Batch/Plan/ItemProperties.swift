import Encoding
import Foundation
import GStreamer
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage

/// What is known of an input before it is opened for decoding: the index of a QuickTime or MP4 file tells all of it within
/// a millisecond, of any other only the size counts.
enum ItemProperties {
    static func read(_ path: FilePath) -> BatchProgress.Item {
        guard let identity = FileVersion(path) else { return BatchProgress.Item() }
        var attributes = BatchProgress.Item(bytes: identity.size)
        guard ["mov", "mp4", "m4v", "qt", "3gp"].contains(path.extension?.lowercased()),
            FolderListing.isFile(path), let info = try? MovieInfo(contentsOf: path)
        else { return attributes }
        attributes.duration = info.duration.seconds
        attributes.pixels = info.video.first.map { $0.width * $0.height }
        return attributes
    }
}

/// How large an output is likely to be: enough to tell that a disk will not do, not more.
enum SizeEstimate {
    /// Bytes.
    static func bytes(_ item: BatchProgress.Item, settings: ExportSettings, codec: VideoCodec, profile: ProResProfile?)
        -> Int64
    {
        guard codec != .copy else { return min(item.bytes ?? unknown, most) }
        guard let whole = item.duration else {
            // Of a file that tells nothing: ProRes is several times as large as what cameras write.
            return min(settings.targetSize ?? min(item.bytes ?? unknown, most) * (codec == .prores ? 8 : 1), most)
        }
        let seconds =
            settings.parts?.reduce(0) { $0 + duration(of: whole, in: $1) } ?? duration(of: whole, in: settings.range)
        if let target = settings.targetSize {
            // No encoder fills a size that it has no rate for.
            return Int64(min(Double(target), seconds * Double(SizeTarget.most) / 8 + Double(unknown), Double(most)))
        }
        if case .bitrate(let bits) = settings.rateControl { return Int64(seconds * Double(bits) / 8) }
        let pixels = settings.size?.pixels ?? item.pixels ?? 1920 * 1080
        let rate = settings.rate?.doubleValue ?? 30
        let bits = seconds * rate * Double(pixels) * bitsForPixel(codec, profile)
        return Int64(min(bits / 8, Double(most)))
    }

    /// So far from the end of 64 bits that estimates can be added.
    private static let most: Int64 = 1_000_000_000_000_000

    /// Nothing is known of it at all.
    private static let unknown: Int64 = 100_000_000

    private static func duration(of whole: Double, in range: TimeRange?) -> Double {
        guard let range = range?.counted(in: MediaTime(seconds: whole)) else { return whole }
        let end = range.end.map { min(whole, $0.seconds) } ?? whole
        return max(0, end - range.start.seconds)
    }

    /// For ProRes what Apple states at 1920×1080 and 29.97 ("Apple ProRes White Paper"); for the others what ordinary
    /// footage takes at the presets' quality.
    private static func bitsForPixel(_ codec: VideoCodec, _ profile: ProResProfile?) -> Double {
        switch codec {
        case .prores:
            switch profile {
            case .proxy: 0.73
            case .lt: 1.65
            case .hq: 3.55
            case .fourFourFourFour: 5.3
            case .standard, nil: 2.37
            }
        case .mjpeg: 1.5
        // With much that moves, of 480×270.
        case .gif: 3.5
        case .h264: 0.12
        default: 0.08
        }
    }
}

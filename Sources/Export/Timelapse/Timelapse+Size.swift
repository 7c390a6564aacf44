import MediaTypes
import Photos

extension Timelapse {
    /// How large the movie is: as most photos are shown, scaled to what players of 4K take; nil where no photo says its size.
    func movieSize(_ photos: [PhotoFile]) -> VideoSize? {
        if let size { return size.even }
        var counts: [VideoSize: Int] = [:]
        for photo in photos { photo.shownSize.map { counts[$0, default: 0] += 1 } }
        // Of two that are as many the larger.
        let usual = counts.max { ($0.value, $0.key.width * $0.key.height) < ($1.value, $1.key.width * $1.key.height) }
        return usual.map { Self.limited($0.key) }
    }

    /// The same size, or the largest of the same shape that 4K has.
    static func limited(_ size: VideoSize) -> VideoSize {
        let (long, short) = (Double(max(size.width, size.height)), Double(min(size.width, size.height)))
        let scale = min(1, 3840 / long, 2160 / short)
        return VideoSize(Int((Double(size.width) * scale).rounded()), Int((Double(size.height) * scale).rounded())).even
    }
}

extension VideoSize {
    /// Encoders take pairs of pixels.
    fileprivate var even: VideoSize { VideoSize(max(2, width & ~1), max(2, height & ~1)) }
}

/// How the frames of an exported Matroska or WebM file are looked at: matroskamux (1.22) says half of what there is to say of the images of
/// both eyes, and nothing of what lies around the viewer.
///
/// It goes into the description of the track, in place of an element without meaning (`Void`) that was made for it.
package enum MatroskaImmersiveView {
    /// How many bytes it takes; 0 for plain frames.
    package static func size(of view: ImmersiveView) -> Int {
        guard !view.isPlain else { return 0 }
        // Numbers, heads and sizes, one of which may become longer.
        return 48 + (view.spherical?.projection?.count ?? 0)
    }

    /// Puts it into the description of the first video track, where these bytes have that and room for it.
    package static func write(_ view: ImmersiveView, into bytes: UnsafeMutableRawBufferPointer) {
        guard !view.isPlain else { return }
        // The index of the file (`SeekHead`), which stands before it, names it too.
        var rest = bytes[...]
        while let begin = rest.firstRange(of: tracks)?.lowerBound {
            if write(view, into: UnsafeMutableRawBufferPointer(rebasing: bytes[begin...])) { return }
            rest = bytes[(begin + 1)...]
        }
    }

    /// - Parameter bytes: they begin with the identifier of `Tracks`.
    private static func write(_ view: ImmersiveView, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        let copy = Array(bytes)
        guard let header = ElementHeader(copy[...], at: 0), let end = header.end, end <= UInt64(copy.count),
            let list = try? Elements(copy[Int(header.dataOffset)..<Int(end)])
        else { return false }
        for entry in list.all(.trackEntry) {
            guard let elements = try? Elements(entry),
                elements.unsigned(.trackType) == TrackEntry.Kind.video.rawValue
            else { continue }
            guard let new = rewritten(elements, view, size: entry.count) else { return false }
            bytes[entry.startIndex..<entry.endIndex].copyBytes(from: new)
            return true
        }
        return false
    }

    private static let tracks: [UInt8] = [0x16, 0x54, 0xAE, 0x6B]

    /// A description of as many bytes; nil where it would need more.
    private static func rewritten(_ entry: Elements, _ view: ImmersiveView, size: Int) -> [UInt8]? {
        var writer = EBMLWriter()
        for (id, data) in entry.everything where id != ElementID.void.rawValue {
            guard id == ElementID.video.rawValue, let video = try? Elements(data) else {
                writer.data(rawID: id, data)
                continue
            }
            writer.data(.video, Self.video(video, view))
        }
        let rest = size - writer.bytes.count
        guard rest >= 0, rest != 1 else { return nil }
        writer.void(rest)
        return writer.bytes
    }

    private static func video(_ video: Elements, _ view: ImmersiveView) -> [UInt8] {
        let own: [ElementID] = view.stereo == nil ? [] : [.stereoMode, .displayWidth, .displayHeight]
        var writer = EBMLWriter()
        for (id, data) in video.everything where !own.contains(where: { $0.rawValue == id }) {
            writer.data(rawID: id, data)
        }
        if let stereo = view.stereo {
            writer.unsigned(.stereoMode, stereo.rawValue)
            // Of one eye's image.
            let (width, height) = (
                video.unsigned(.displayWidth) ?? video.unsigned(.pixelWidth) ?? 0,
                video.unsigned(.displayHeight) ?? video.unsigned(.pixelHeight) ?? 0
            )
            writer.unsigned(.displayWidth, max(1, width / stereo.views.across))
            writer.unsigned(.displayHeight, max(1, height / stereo.views.down))
        }
        if let projection = view.spherical?.projection { writer.data(.projection, projection) }
        return writer.bytes
    }
}

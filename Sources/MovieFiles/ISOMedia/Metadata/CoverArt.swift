/// A cover: an image that stands for the movie, as MP4 and QuickTime keep it in an item and Matroska among its attachments.
package struct CoverArt: Sendable, Equatable {
    enum Format: Sendable { case jpeg, png }

    let format: Format
    let image: [UInt8]

    /// - Returns: nil for an image of a kind that not all of them hold.
    package init?(_ image: some Collection<UInt8>) {
        if image.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
        } else if image.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            format = .png
        } else {
            return nil
        }
        self.image = Array(image)
    }

    /// The covers of an MP4's item.
    ///
    /// - Parameter item: `data` boxes.
    static func covers(inItem item: [UInt8]) -> [CoverArt] {
        let boxes = (try? Box.boxes(in: item[...], at: 0).boxes) ?? []
        // Behind its kind and its locale.
        return boxes.filter { $0.type == "data" }.compactMap { CoverArt($0.payload.dropFirst(8)) }
    }

    /// As ffprobe names what it is coded as.
    package var codec: String { format == .jpeg ? "mjpeg" : "png" }

    /// What an MP4's item holds of it (QuickTime File Format, "Well-Known Types").
    package var item: [UInt8] {
        var writer = ByteWriter()
        writer.append(UInt32(clamping: 16 + image.count))
        writer.append(FourCC("data"))
        writer.append(UInt32(format == .jpeg ? 13 : 14))
        writer.append(UInt32(0))
        writer.append(contentsOf: image)
        return writer.bytes
    }

    /// As Matroska's players look for it (RFC 9559 section 21.2).
    var fileName: String { format == .jpeg ? "cover.jpg" : "cover.png" }
    var mediaType: String { format == .jpeg ? "image/jpeg" : "image/png" }
}

extension MovieMetadata {
    /// The front cover first.
    package var covers: [CoverArt] { artwork.map { CoverArt.covers(inItem: $0) } ?? [] }
}

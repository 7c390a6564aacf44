extension Box {
    /// What the covers of a `moov` are coded as, by ffprobe's names; nil where there are none.
    func coverCodecs() throws(MovieFileError) -> [String]? {
        guard let meta = descendant("udta", "meta"),
            let list = try MetaBox(meta).children.first(where: { $0.type == "ilst" })
        else { return nil }
        var codecs: [String] = []
        for item in try ItemList(list).items where item.type == ItemList.artwork {
            // The kind of each value (QuickTime File Format, "Well-Known Types").
            for data in try Box.boxes(in: item.payload, at: item.payloadOffset).boxes where data.type == "data" {
                let kind = UInt32(bigEndianBytes: data.payload.prefix(4)).map { $0 & 0xFF_FFFF }
                codecs.append([13: "mjpeg", 14: "png", 27: "bmp"][kind ?? 0] ?? "unknown")
            }
        }
        return codecs.isEmpty ? nil : codecs
    }
}

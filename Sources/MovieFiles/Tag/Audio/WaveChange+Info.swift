extension WaveChange {
    /// The texts of an `INFO` list as a change makes them; those that it does not concern stay as they are.
    ///
    /// - Parameters:
    ///   - old: the list's content with its type; empty where there was none.
    ///   - adds: whether the new ones go into it, and no list before it has them.
    static func info(of metadata: MovieMetadata, instead old: [UInt8], adds: Bool) -> [UInt8] {
        let changed = WaveLayout.infoNames.filter { metadata[$0.key] != nil }
        let outdated = Set(changed.flatMap(\.value))
        var (rest, texts) = (old.dropFirst(4), [UInt8]())
        while rest.count >= 8 {
            let size = Int(WaveChunks.number(rest, 4, 4))
            let whole = rest.prefix(8 + size + size % 2)
            if !outdated.contains(String(decoding: rest.prefix(4), as: UTF8.self)) {
                texts += whole
                if texts.count % 2 == 1 { texts.append(0) }
            }
            rest = rest.dropFirst(whole.count)
        }
        for field in MetadataField.allCases where adds {
            guard let name = changed[field]?.first, let text = AudioFileAttributes.text(metadata[field]) else {
                continue
            }
            texts.append(chunk: name, text + [0])
        }
        return texts
    }
}

extension [UInt8] {
    /// Appends a list of texts, unless there is none.
    mutating func append(list texts: [UInt8]) {
        if !texts.isEmpty { append(chunk: "LIST", Array("INFO".utf8) + texts) }
    }
}

extension DiscoveredMedia {
    /// What the file says under the first of these names that it has, its container before its streams.
    package func tag(_ names: String...) -> String? {
        for tags in [containerTags, tags] {
            if let text = names.lazy.compactMap({ tags[$0] }).first { return text }
        }
        return nil
    }

    /// The title of the whole. A stream's own ("Video", "Audio") is none, and the discoverer (1.22) has it first as often as not.
    /// A file of one stream without a container has only that one's.
    package var title: String? {
        if container == nil, streams.count == 1 { return tags["title"] ?? streams[0].tags["title"] }
        return containerTags["title"]
            ?? tags["title"].flatMap { title in
                streams.contains { $0.tags["title"] == title } ? nil : title
            }
    }
}

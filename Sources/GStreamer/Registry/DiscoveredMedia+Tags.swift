extension DiscoveredMedia {
    /// What the file says under the first of these names that it has, its container before its streams.
    package func tag(_ names: String...) -> String? {
        for tags in [containerTags, tags] {
            if let text = names.lazy.compactMap({ tags[$0] }).first { return text }
        }
        return nil
    }

    /// The title of the whole. A stream's own ("Video", "Audio") is none, and the discoverer (1.22) has it first as often as not.
    package var title: String? {
        containerTags["title"]
            ?? tags["title"].flatMap { title in
                streams.contains { $0.tags["title"] == title } ? nil : title
            }
    }
}

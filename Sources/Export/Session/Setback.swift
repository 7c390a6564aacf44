/// Something that failed in the middle of an export and that the export can do without: it begins again from its start.
struct Setback: Error {
    enum Part: Sendable, Hashable {
        case hardwareEncoder
        case hardwareDecoder
        case seeking
    }

    var part: Part
    /// A sentence for people.
    var note: String?
}

/// What one export does without, after it has failed there. The next export tries it again: what one file asks of the
/// hardware says nothing about the others.
struct Setbacks: Sendable {
    private(set) var parts: Set<Setback.Part> = []
    private(set) var notes: [String] = []

    func contains(_ part: Setback.Part) -> Bool { parts.contains(part) }

    /// - Returns: whether this is new, so that it is worth beginning again.
    mutating func insert(_ setback: Setback) -> Bool {
        guard parts.insert(setback.part).inserted else { return false }
        if let note = setback.note { notes.append(note) }
        return true
    }
}

extension SampleTable {
    /// These samples alone, as a track that begins with them, where they lie in the file.
    func part(_ range: Range<Int>) -> SampleTable {
        var part = samples(range)
        var cursor = SampleCursor(self)
        for chunk in chunks where cursor.index < range.upperBound {
            let end = cursor.index + chunk.sampleCount
            let skipped = min(chunk.sampleCount, max(0, range.lowerBound - cursor.index))
            let before = cursor.advance(skipped)
            let count = min(range.upperBound, end) - cursor.index
            if count > 0 {
                part.chunks.append(
                    Chunk(offset: chunk.offset + before, sampleCount: count, description: chunk.description))
            }
            cursor.advance(end - cursor.index)
        }
        return part
    }
}

import SystemPackage

/// Completes Matroska and WebM recordings whose recorder died, wherever their files end.
enum MatroskaRecovery {
    /// Completes the file itself: what is not whole at its end is cut off.
    ///
    /// - Throws: `noSamples`, `unsupported`, `noSpace`, `system`. The file plays as before, whatever fails.
    static func complete(_ target: DescriptorFile) throws(MovieFileError) -> FinishedMovie {
        let plan = try MatroskaRecoveryPlan(ReadableFile(target.descriptor))
        try target.truncate(to: plan.dataEnd)
        try plan.completion.complete(target)
        return plan.completion.movie
    }
}

/// What is done to a dead recording.
struct MatroskaRecoveryPlan {
    let completion: MatroskaCompletion
    /// Where the last whole block ends, and what is missing goes.
    let dataEnd: UInt64
    /// Of blocks that are not whole.
    let losses: [LostRange]
    /// Where another file begins, behind this one; nil where there is none.
    let otherMovie: UInt64?
    /// Whether the recorder came to its end.
    let isComplete: Bool

    /// More than what anybody writes there.
    private static let maximumTagsSize = 1 << 20

    init(_ file: ReadableFile) throws(MovieFileError) {
        let scan = try MatroskaScan(file)
        guard let segment = scan.segment else { throw .unsupported(reason: "it holds no segment of Matroska") }
        (dataEnd, otherMovie) = (scan.dataEnd, scan.otherMovie)
        var tags: [UInt8] = []
        let behind = scan.parts.filter { $0.range.lowerBound >= scan.dataEnd && $0.range.upperBound <= file.size }
        if let found = behind.first(where: { $0.id == .tags }), found.range.count <= Self.maximumTagsSize {
            tags = try file.read(upTo: found.range.count, at: found.range.lowerBound)
        }
        isComplete = segment.end.map { $0 <= file.size } == true && scan.part(.cues) != nil
        completion = try MatroskaCompletion(scan, tags: tags)
        // What the recorder wrote behind its clusters is no loss: it is made anew.
        let tail = max(behind.map(\.range.upperBound).max() ?? 0, scan.dataEnd)
        let rest = LostRange(offset: tail, size: file.size - min(file.size, tail), time: completion.movie.duration)
        losses = scan.losses.filter { $0.offset < tail } + (rest.size > 0 ? [rest] : [])
    }
}

package import SystemPackage

/// How a batch ended.
public struct BatchSummary: Sendable, Hashable {
    /// Exported by this run.
    public internal(set) var done = 0
    /// Of those done: with frames that were fit already, and are copied.
    package internal(set) var copied = 0
    /// Done by an earlier run.
    public internal(set) var skipped = 0
    /// Cancelled.
    public internal(set) var cancelled = 0
    /// Of those cancelled: because the batch was.
    package internal(set) var interrupted = 0
    /// The inputs whose outputs are not there, and why, in the order in which they failed.
    public internal(set) var failures: [BatchProblem] = []
    /// What is to be told of outputs that are there, such as what was left out, in the order in which it came up, each with the inputs it is
    /// true of.
    package internal(set) var remarks: [Remark] = []
    /// Never begun.
    public internal(set) var left = 0
    /// Bytes of the inputs of what was done, and of the outputs.
    package internal(set) var inputSize: Int64 = 0
    /// Bytes of the outputs of what was done.
    package internal(set) var outputSize: Int64 = 0
    /// Seconds.
    package internal(set) var elapsed = 0.0

    /// A sentence about some of the files.
    package struct Remark: Sendable, Hashable {
        package let sentence: String
        package fileprivate(set) var inputs: [FilePath]
    }

    /// Of a batch in which nothing has happened yet.
    package init() {}

    /// Whether every output is there.
    public var isComplete: Bool { failures.isEmpty && cancelled == 0 && left == 0 }

    mutating func add(_ outcome: BatchOutcome, of item: BatchItem) {
        switch outcome.kind {
        case .done:
            done += 1
            if outcome.copiesFrames { copied += 1 }
            inputSize += outcome.inputSize
            outputSize += outcome.outputSize
            for sentence in outcome.remarks { note(sentence, of: item.input) }
        case .skipped: skipped += 1
        case .failed:
            failures.append(BatchProblem(input: item.input, reason: outcome.reason ?? "Failed.", isFatal: false))
        case .cancelled: cancelled += 1
        }
    }

    private mutating func note(_ sentence: String, of input: FilePath) {
        if let index = remarks.firstIndex(where: { $0.sentence == sentence }) {
            remarks[index].inputs.append(input)
        } else {
            remarks.append(Remark(sentence: sentence, inputs: [input]))
        }
    }
}

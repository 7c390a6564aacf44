import Encoding
import Errors

/// Writes the file with the lowest quality that is found to be similar enough to the input.
struct QualityTargetExport: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner
    let goal: TargetQuality
    let metric: MetricProgram

    func write() async throws -> WrittenMovie? {
        // Another encoder has other qualities, so they are looked for again.
        let (written, note) = try await context.retrying { reasons in
            let found = try await QualityFinder(
                context: context, planner: planner, goal: goal, program: metric, reasons
            )
            .run()
            var planner = planner
            planner.target.control = found.control
            let run = EncodingRun(context: context, planner: planner)
            return (try await run.run(without: reasons), found.words)
        }
        context.log.note(note)
        return written
    }
}

/// Finds the constant quality with which an export just reaches what was asked for, on samples of its input.
struct QualityFinder: Sendable {
    private let goal: TargetQuality
    private let program: MetricProgram
    private let coder: SampleCoder

    /// - Parameter reasons: what is done without.
    init(
        context: ExportContext, planner: ExportPlanner, goal: TargetQuality, program: MetricProgram,
        _ reasons: RetryReasons
    ) {
        (self.goal, self.program) = (goal, program)
        coder = SampleCoder(context: context, planner: planner, reasons: reasons)
    }

    struct Found: Sendable {
        var control: RateControl
        /// For people.
        var words: String
    }

    /// - Throws: ``RushesError`` where no quality reaches it; ``RetryReason``; what makes an export fail.
    func run() async throws -> Found {
        tell("Taking samples")
        let samples = try await coder.takeSamples()
        let encoder = samples.choice.encoder
        let levels = encoder.qualityLevels
        guard !levels.isEmpty else {
            throw RushesError(
                .invalidSettings,
                "\(encoder.element) has no constant quality; use \(Term.bitrate) in place of \(Term.targetQuality)."
            )
        }
        // About where the tables' own defaults lie.
        var search = QualitySearch(goal, count: levels.count, first: levels.count * 3 / 5)
        while true {
            switch search.next {
            case .attempt(let index):
                let level = levels[index]
                tell("Looking for the quality: try \(search.tries + 1), \(encoder.qualityName) \(level.native)")
                search.take(try await score(level, samples), at: index)
            case .found(let index, let score):
                let tries = search.tries == 1 ? "1 try" : "\(search.tries) tries"
                let level = levels[index]
                return Found(
                    control: .quality(level.quality),
                    words: "\(goal.metric.words(score)) on samples at \(encoder.qualityName) \(level.native) "
                        + "(\(Term.quality) \(level.quality)), \(tries).")
            case .unreachable(let score):
                throw RushesError(
                    .qualityUnreachable,
                    "\(encoder.element) reaches \(goal.metric.words(score)) at best, not "
                        + "\(goal.metric.words(goal.score)); ask for less with \(Term.targetQuality).")
            }
        }
    }

    private func tell(_ step: String) {
        coder.status.report(.began(.init(phase: .searching, step: step)))
    }

    /// How like the samples what the encoder makes of them with a quality is.
    private func score(_ level: QualityLevel, _ samples: QualitySamples) async throws -> Double {
        let movie = try await coder.encode(samples, level)
        return try await program.score(
            of: movie, beside: samples.file, frames: samples.frames, size: samples.choice.request.size,
            status: coder.status)
    }
}

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

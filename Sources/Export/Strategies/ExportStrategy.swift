/// One way of making the output; all stand beside each other over one ``ExportContext``.
protocol ExportStrategy: Sendable {
    /// Writes the file.
    ///
    /// - Returns: nil where the input turns out to need another way; nothing is written then.
    /// - Throws: what makes an export fail.
    func write() async throws -> WrittenMovie?
}

extension ExportPlanner {
    /// The ways that fit what is asked for, in the order in which they are to be tried; the last one always writes.
    ///
    /// - Parameter metric: what measures a quality that is aimed at.
    func strategies(_ context: ExportContext, metric: MetricProgram?) -> [any ExportStrategy] {
        var strategies: [any ExportStrategy] = []
        if let remux = MovieRemux(context, self) { strategies.append(remux) }
        if let remux = MatroskaRemux(context, self) { strategies.append(remux) }
        if let size = target.settings.targetSize {
            strategies.append(SizeTargetExport(context: context, planner: self, size: size))
        } else if let goal = target.settings.targetQuality, let metric {
            strategies.append(QualityTargetExport(context: context, planner: self, goal: goal, metric: metric))
        } else {
            strategies.append(OnePassExport(context: context, planner: self))
        }
        return strategies
    }
}

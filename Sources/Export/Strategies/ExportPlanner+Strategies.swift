import Encoding
import Errors

extension ExportPlanner {
    /// The ways that fit what is asked for, in the order in which they are to be tried; the last one always writes.
    ///
    /// - Parameters:
    ///   - metric: what measures a quality that is aimed at.
    ///   - addedAudio: what is added to the file, which counts where a size is aimed at.
    /// - Throws: ``RushesError`` where parts cannot be copied.
    func strategies(
        _ context: ExportContext, metric: MetricProgram?, addedAudio: [AddedAudioInput]
    ) throws(RushesError) -> [any ExportStrategy] {
        if let image = target.image { return [StillMovie(context: context, planner: self, image: image)] }
        if target.container == .gif { return [AnimationExport(context: context, planner: self)] }
        if let remux = try PartsRemux(context, self) { return [remux] }
        var strategies: [any ExportStrategy] = []
        if let remux = PartsRemux(one: context, self) { strategies.append(remux) }
        if let remux = MovieRemux(context, self) { strategies.append(remux) }
        if let remux = MatroskaRemux(context, self) { strategies.append(remux) }
        if let replacement = AudioReplacement(context, self) { strategies.append(replacement) }
        if let size = target.settings.targetSize {
            strategies.append(SizeTargetExport(context: context, planner: self, size: size, addedAudio: addedAudio))
        } else if let goal = target.settings.targetQuality, let metric {
            strategies.append(QualityTargetExport(context: context, planner: self, goal: goal, metric: metric))
        } else {
            strategies.append(OnePassExport(context: context, planner: self))
        }
        return strategies
    }
}

/// Reads, encodes and writes the input once, as the settings say.
struct OnePassExport: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner

    func write() async throws -> WrittenMovie? {
        try await EncodingRun(context: context, planner: planner).runRetrying()
    }
}

/// Reads, encodes and writes the input once, as the settings say.
struct OnePassExport: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner

    func write() async throws -> WrittenMovie? {
        try await EncodingRun(context: context, planner: planner).runRetrying()
    }
}

extension BatchExport {
    /// An ``ExportSession``.
    package static func session(_ work: BatchWork) -> BatchExport {
        // The batch shows its files itself.
        let session = ExportSession(
            input: work.input, settings: work.settings, thumbnail: work.thumbnail, isActivity: false)
        return BatchExport(
            run: { report in
                let states = session.states(updateInterval: updateInterval)
                let watch = Task {
                    for await state in states {
                        if case .exporting(let progress) = state { await report(progress) }
                    }
                }
                defer { watch.cancel() }
                return try await session.export(to: work.destination)
            }, pause: { session.pause() }, resume: { session.resume() })
    }

    /// Several files at a time still make a bar that moves, and no work to speak of.
    private static let updateInterval = Duration.milliseconds(250)
}

import Errors

extension BatchExport {
    /// An ``ExportSession``.
    package static func session(_ work: BatchWork) -> BatchExport {
        let session: ExportSession
        do throws(RushesError) { session = try work.session() } catch {
            return BatchExport(run: { _ in throw error })
        }
        return BatchExport(
            run: { report in
                let states = session.states(updateInterval: updateInterval)
                let watch = Task {
                    for await state in states {
                        if case .exporting(let progress) = state { await report(progress) }
                    }
                }
                defer { watch.cancel() }
                return try await session.export(to: work.destination, keepingFree: work.minimumFreeSpace)
            }, pause: { session.pause() }, resume: { session.resume() })
    }

    /// Several files at a time still make a bar that moves, and no work to speak of.
    private static let updateInterval = Duration.milliseconds(250)
}

extension BatchWork {
    /// The batch shows its files itself, so it is no activity.
    ///
    /// - Throws: ``RushesError`` for a project that cannot be read. Blocks for one.
    fileprivate func session() throws(RushesError) -> ExportSession {
        guard let composition = settings.composition else {
            return ExportSession(input: input, settings: settings, thumbnail: thumbnail, isActivity: false)
        }
        let composed =
            insets.isEmpty
            ? try MovieComposition(project: input, composition)
            : MovieComposition(main: input, insets: insets, composition)
        return ExportSession(composed, settings: settings, thumbnail: thumbnail, center: nil)
    }
}

import Encoding
import Errors
import FileSystem
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

extension BatchPlan {
    /// Takes the folder for one batch, clears away what a killed one has left, and writes the manifest.
    func open(beginsAnew: Bool = false) throws -> BatchLock {
        try folder.prepare()
        let lock = try folder.openLock()
        guard try lock.takeFolder(.exclusive) else {
            throw RushesError(
                .badInput,
                "Another process is exporting to \(folder.outputs.wireText); wait until it ends, or choose another folder."
            )
        }
        if beginsAnew { items.forEach(folder.removeRecord) }
        // A complete file that has only to get its name is kept for its step.
        let complete = items.compactMap { item -> String? in
            guard let record = folder.record(of: item), record.state == .finishing else { return nil }
            return BatchFolder.name(item.key, record.starts)
        }
        // On file systems without locks somebody may work there all the same.
        let busy = try folder.removeClaimsThatAreOver(for: .current)
        folder.removeAllWork(but: busy.union(complete))
        try folder.write(
            BatchManifest(
                settings: settings, replacesExisting: replacesExisting, items: withoutClashes.items,
                clashes: clashes,
                in: BatchPlace(folder.outputs)))
        return lock
    }

    /// Writes down what is to be done, for single steps.
    ///
    /// - Throws: ``RushesError`` where somebody works in the folder, or it cannot be written.
    package func write() async throws {
        let plan = self
        try await onOwnThread("rushes-batch") {
            let lock = try plan.open()
            plan.folder.removeSubmissions()
            lock.release(BatchLock.whole)
        }
    }

    /// The plan of one item alone.
    ///
    /// - Throws: ``RushesError`` if there is none of that number.
    func only(_ number: Int) throws(RushesError) -> BatchPlan {
        guard items.indices.contains(number) else {
            throw RushesError(
                .invalidSettings,
                items.isEmpty
                    ? "The batch has no items."
                    : "The batch has no item \(number); its items are 0 to \(items.count - 1).")
        }
        var plan = self
        plan.items = [items[number]]
        plan.renewsOutputs = false
        return plan
    }

    /// Takes its place beside other steps.
    func openStep() throws -> BatchLock {
        let lock = try folder.openLock()
        guard try lock.takeFolder(.shared) else {
            throw RushesError(
                .badInput,
                "A whole batch is running in \(folder.outputs.wireText), or its plan is being written; wait until it ends."
            )
        }
        return lock
    }

    /// The items with what is known of their inputs.
    func withAttributes() -> [BatchItem] { withAttributes(items) }

    func withAttributes(_ items: [BatchItem]) -> [BatchItem] {
        let target = try? ExportTarget(
            settings, container: Container(rawValue: ending) ?? .mov, files: PipelineFiles.find())
        return items.map { item in
            var item = item
            item.attributes = ItemProperties.read(item.input)
            item.estimate = SizeEstimate.bytes(
                item.attributes, settings: settings, codec: target?.video ?? .h264, profile: target?.profile)
            return item
        }
    }
}

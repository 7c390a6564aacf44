import Encoding
import LiveActivity
import SystemPackage

extension BatchPlan {
    /// Takes the folder for one batch, clears away what a killed one has left, and writes the manifest.
    func open() throws -> BatchLock {
        try folder.prepare()
        let lock = try BatchLock(folder.lock)
        guard try lock.take(BatchLock.whole) else {
            throw ExportError(
                .badInput,
                "Another process exports to \(folder.outputs.wireText); wait for its end, or choose another folder.")
        }
        // A complete file that has only to get its name is kept for its step.
        let complete = items.filter { folder.record(of: $0)?.state == .finishing }
        folder.removeAllWork(but: Set(complete.map(\.key)))
        try folder.write(BatchManifest(settings: settings, replacesExisting: replacesExisting, items: items))
        return lock
    }

    func withFacts() -> [BatchItem] { items.map { withFacts($0) } }

    /// The item with what is known of its input.
    func withFacts(_ item: BatchItem) -> BatchItem {
        var item = item
        item.facts = InputFacts.read(item.input)
        item.estimate = SizeEstimate.bytes(item.facts, settings: settings, codec: codec, profile: settings.profile)
        return item
    }

    /// What the pictures will be, as far as names tell it.
    private var codec: VideoCodec {
        if let codec = settings.videoCodec { return codec }
        return VideoCodec.allCases.first { settings.preset.contains($0.rawValue) } ?? .h264
    }
}

import GStreamer

extension DeviceDiscovery {
    /// Arrivals, removals and other changes from now on, or from a listing that was taken before.
    ///
    /// A provider's message only says that it is time to look again: whether a device is new, or known already through
    /// another provider, is seen in the whole list alone. Servers that come up later, or take another's place, are found
    /// within two seconds.
    public func changes(since listing: Listing? = nil) -> AsyncStream<Change> {
        let (changes, continuation) = AsyncStream.makeStream(of: Change.self)
        let watching = Task {
            var known = if let listing { listing.devices } else { await devices() }
            while !Task.isCancelled {
                await Self.nextOccasion()
                if Task.isCancelled { break }
                let now = await devices()
                for change in Change.between(known, now) { continuation.yield(change) }
                known = now
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in watching.cancel() }
        return changes
    }

    /// Returns when a provider has said something and then been quiet for a moment, at the latest after two seconds.
    private static func nextOccasion() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: .seconds(2)) }
            for messages in ProviderWatch.all.compactMap({ $0.messages() }) {
                group.addTask {
                    for await message in messages where message.isAboutDevices {
                        // A camera arrives as several nodes, and udev needs a moment to set their permissions.
                        try? await Task.sleep(for: .milliseconds(100))
                        return
                    }
                    try? await Task.sleep(for: .seconds(2))
                }
            }
            group.addTask {
                for await _ in AudioServerWatch.shared.messages() {
                    // The next default is told after the source that is gone.
                    try? await Task.sleep(for: .milliseconds(100))
                    return
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

extension DeviceDiscovery.Change {
    /// What has changed from one list to the next: removals first.
    static func between(_ old: [CaptureDevice], _ new: [CaptureDevice]) -> [Self] {
        func key(_ device: CaptureDevice) -> String { "\(device.kind) \(device.id)" }
        let oldByID = Dictionary(old.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let newIDs = Set(new.map(key))
        return old.filter { !newIDs.contains(key($0)) }.map(Self.removed)
            + new.compactMap { device in
                guard let before = oldByID[key(device)] else { return .added(device) }
                return before == device ? nil : .changed(device)
            }
    }
}

extension BusMessage {
    fileprivate var isAboutDevices: Bool {
        switch content {
        case .deviceAdded, .deviceRemoved, .deviceChanged: true
        default: false
        }
    }
}

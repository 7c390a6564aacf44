extension CaptureDevice {
    /// The camera or microphone that the system, or else the order of its devices, makes the default.
    ///
    /// - Throws: ``CaptureError`` if there is none.
    public static func `default`(for kind: Kind) async throws -> CaptureDevice {
        let devices = await DeviceDiscovery(includesTestSources: false).devices()
        guard let found = devices.first(where: { $0.kind == kind && $0.isDefault }) else {
            throw CaptureError(.deviceNotFound, "There is no \(kind); plug one in, or see whether you may open it.")
        }
        return found
    }
}

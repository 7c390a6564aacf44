extension CaptureDevice {
    /// The camera or microphone that the system, or else the order of its devices, makes the default.
    ///
    /// - Throws: ``RushesError`` if there is none.
    public static func `default`(for kind: Kind) async throws -> CaptureDevice {
        let devices = await DeviceDiscovery(includesTestSources: false).devices()
        return try DeviceMatch(kind, devices).defaultDevice()
    }
}

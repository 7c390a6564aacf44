import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Encoding

/// What the kernel's files tell of heat and load, of files that look like them.
@Suite struct MachinePressureTests {
    private let root: TemporaryFolder

    init() throws { root = try TemporaryFolder() }

    private func write(_ files: [String: String]) throws {
        for (name, text) in files {
            let path = root.file(name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data("\(text)\n".utf8).write(to: URL(filePath: path))
        }
    }

    private func zone(_ number: Int, _ name: String, _ temperature: Int, _ trips: [(String, Int)]) throws {
        let folder = "sys/class/thermal/thermal_zone\(number)"
        try write(["\(folder)/type": name, "\(folder)/temp": "\(temperature)"])
        for (index, trip) in trips.enumerated() {
            try write([
                "\(folder)/trip_point_\(index)_type": trip.0, "\(folder)/trip_point_\(index)_temp": "\(trip.1)",
            ])
        }
    }

    private var pressure: MachinePressure { .now(root: FilePath(root.path)) }

    @Test func `the part that is nearest to where it is slowed down counts`() throws {
        try zone(0, "acpitz", 97_000, [("critical", 119_000)])
        try zone(1, "cpu-thermal", 81_250, [("active", 50_000), ("critical", 110_000), ("passive", 85_000)])
        try zone(2, "battery", 30_000, [("passive", 0), ("hot", -274_000), ("critical", 60_000)])
        // Nobody knows where it is slowed down.
        try zone(3, "iwlwifi_1", 99_000, [])
        try write(["sys/class/thermal/thermal_zone4/type": "broken", "sys/class/thermal/cooling_device0/type": "Fan"])
        #expect(pressure.hottest == ThermalZone(name: "cpu-thermal", temperature: 81.25, limit: 85))
        let zones = ThermalZone.all(in: FilePath(root.file("sys/class/thermal")))
        #expect(zones.map(\.name) == ["acpitz", "cpu-thermal", "battery"] && zones.map(\.limit) == [119, 85, 60])
    }

    @Test func `what waits for a core is what the kernel measured, or what its load leaves no core for`() throws {
        try write(["proc/loadavg": "\(4 * MachineCores.available).00 3.00 2.00 9/512 4711"])
        #expect(pressure.waitingForCores == 0.75)
        try write([
            "proc/pressure/cpu": "some avg10=61.25 avg60=9.00 avg300=1.00 total=5\nfull avg10=0.00 avg60=0.00"
        ])
        #expect(pressure.waitingForCores == 0.6125)
        try write(["proc/pressure/cpu": "nonsense", "proc/loadavg": "0.00 0.00"])
        #expect(pressure.waitingForCores == nil)
    }

    @Test func `a machine that tells nothing has none`() { #expect(pressure == MachinePressure()) }

    @Test func `this machine's files are read`() {
        #expect(MachinePressure.now().waitingForCores.map { (0...1).contains($0) } != false)
    }
}

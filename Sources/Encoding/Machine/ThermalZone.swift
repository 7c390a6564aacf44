import Foundation
package import SystemPackage

/// How hot a part of the machine is, as the kernel tells it (Documentation/driver-api/thermal/sysfs-api.rst).
package struct ThermalZone: Sendable, Equatable {
    /// The kernel's name for it, "x86_pkg_temp" or "cpu-thermal".
    package var name: String
    /// Degrees Celsius.
    package var temperature: Double
    /// From which on the kernel slows the machine down; where it does not, from which on it switches it off.
    package var limit: Double

    /// Degrees until then.
    package var margin: Double { limit - temperature }

    package init(name: String, temperature: Double, limit: Double) {
        (self.name, self.temperature, self.limit) = (name, temperature, limit)
    }

    /// All that the kernel knows, but for those without a limit. Drivers may take their time to answer.
    ///
    /// - Parameter folder: `/sys/class/thermal`, or one that looks like it.
    package static func all(in folder: FilePath) -> [ThermalZone] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
        return names.filter { $0.hasPrefix("thermal_zone") }.sorted().compactMap { zone(in: folder.appending($0)) }
    }

    private static func zone(in folder: FilePath) -> ThermalZone? {
        guard let name = text(folder.appending("type")), let temperature = degrees(folder.appending("temp")) else {
            return nil
        }
        var limits: [String: Double] = [:]
        for index in 0..<most {
            guard let type = text(folder.appending("trip_point_\(index)_type")) else { break }
            // Trip points that nobody has set are 0 or far below it.
            guard let limit = degrees(folder.appending("trip_point_\(index)_temp")), limit > 0 else { continue }
            limits[type] = min(limits[type] ?? .infinity, limit)
        }
        // "active" starts a fan.
        guard let limit = ["passive", "hot", "critical"].compactMap({ limits[$0] }).first else { return nil }
        return ThermalZone(name: name, temperature: temperature, limit: limit)
    }

    /// Trip points that a zone can have; the kernel knows 12 in most.
    private static let most = 32

    private static func text(_ path: FilePath) -> String? {
        (try? String(contentsOfFile: path.string, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The kernel has thousandths.
    private static func degrees(_ path: FilePath) -> Double? { text(path).flatMap(Double.init).map { $0 / 1000 } }
}

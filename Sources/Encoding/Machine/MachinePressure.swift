import Foundation
package import SystemPackage

/// What may soon keep a recording from getting its share of the machine.
package struct MachinePressure: Sendable, Equatable {
    /// The part that is nearest to its limit.
    package var hottest: ThermalZone?
    /// The part of the last ten seconds in which something that could run waited for a core, 0 to 1; `nil` where the kernel does not say.
    package var waitingForCores: Double?

    package init(hottest: ThermalZone? = nil, waitingForCores: Double? = nil) {
        (self.hottest, self.waitingForCores) = (hottest, waitingForCores)
    }

    /// This machine's, now. Drivers may take their time to answer.
    ///
    /// - Parameter root: "/", or a folder with `proc` and `sys`.
    package static func now(root: FilePath = "/") -> MachinePressure {
        let zones = ThermalZone.all(in: root.appending("sys").appending("class").appending("thermal"))
        func text(_ names: String...) -> String? {
            let path = names.reduce(root.appending("proc")) { $0.appending($1) }
            return try? String(contentsOfFile: path.string, encoding: .utf8)
        }
        let waiting = text("pressure", "cpu").flatMap(stalls)
        return MachinePressure(
            hottest: zones.min { $0.margin < $1.margin },
            waitingForCores: waiting
                ?? text("loadavg").flatMap { excess($0, cores: MachineCores.available) })
    }

    /// "some avg10=12.34 avg60=…" (Documentation/accounting/psi.rst).
    static func stalls(_ text: String) -> Double? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("some ") }
        let field = line?.split(separator: " ").first { $0.hasPrefix("avg10=") }
        return field.flatMap { Double($0.dropFirst(6)) }.map { min(1, max(0, $0 / 100)) }
    }

    /// Kernels without that count what runs or could: how much of it has no core, of the last minute.
    static func excess(_ text: String, cores: Int) -> Double? {
        guard let load = text.split(separator: " ").first.flatMap({ Double($0) }), load > 0 else { return nil }
        return max(0, 1 - Double(cores) / load)
    }
}

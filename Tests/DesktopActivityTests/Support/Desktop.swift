import Foundation
import TestSupport

@testable import DesktopBus

/// A private desktop of one test: a bus, dunst, and a stub that tells what KDE's tracker, logind and a dock hear.
final class Desktop: Sendable {
    let servers: Servers
    let stub: RunningCommand
    let bus: BusAddress

    init() async throws {
        servers = try await Servers.start(.desktop)
        stub = try RunningCommand(Checkout.script("lib/desktop-stub"), environment: servers.environment)
        guard let address = servers.environment["DBUS_SESSION_BUS_ADDRESS"].flatMap(\.self) else {
            throw ToolError.missing("DBUS_SESSION_BUS_ADDRESS")
        }
        bus = .at(address)
        for await line in stub.lines where line == "ready" { return }
        throw ToolError.failed(try await stub.result(within: .seconds(60)))
    }

    deinit { stub.closeInput() }

    /// What the stub heard, up to and with the first line of which this is true.
    func received(until isLast: (String) -> Bool) async throws -> [String] {
        var all: [String] = []
        for await line in stub.lines {
            all.append(line)
            if isLast(line) { return all }
        }
        throw ToolError.failed(try await stub.result(within: .seconds(60)))
    }

    func tool(_ name: String, _ arguments: String...) async throws -> String {
        try await Tool.succeed(name, arguments, limit: .seconds(120), environment: servers.environment).text
    }

    /// What dunst shows, as it tells itself.
    func shownNotifications() async throws -> Int {
        let count = try await tool("dunstctl", "count", "displayed")
        return Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    func screenshot(_ name: String) async throws -> String {
        let folder = Checkout.folder.appending(path: ".build/screenshots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "\(name).png").path
        _ = try await tool("import", "-window", "root", path)
        return path
    }
}

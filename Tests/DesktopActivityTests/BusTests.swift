import Foundation
import TestSupport
import Testing
import Threads

@testable import DesktopBus

@Suite(.timeLimit(.minutes(10)), .requiresDesktop) struct BusTests {
    private static let bus = BusMethod(
        service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", name: "GetId"
    )
    private static let description = """
        <node><interface name="com.example.Echo"><method name="Echo">
        <arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/></method></interface></node>
        """

    @Test func `values of every type come back as they went`() async throws {
        let servers = try await Servers.start(.desktop)
        let address = BusAddress.at(try #require(servers.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil))
        let (server, client) = (BusConnection(address), BusConnection(address))
        server.export(path: "/echo", interface: Self.description) { name, values in name == "Echo" ? values : nil }
        let own = BusMethod(
            service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            name: "RequestName")
        _ = try await server.call(own, [.string("com.example.Echo"), .uint32(4)])
        let echo = BusMethod(service: "com.example.Echo", path: "/echo", interface: "com.example.Echo", name: "Echo")
        let sent = BusValue.properties([
            "b": .bool(true), "y": .byte(255), "i": .int32(.min), "u": .uint32(.max), "x": .int64(.min),
            "t": .uint64(.max), "d": .double(0.1), "s": .string("Ünï \"1\"\n"), "o": .object("/a/b"),
            "as": .strings(["", "two"]), "none": .strings([]), "deep": .properties(["k": .properties([:])]),
        ])
        #expect(try await client.call(echo, [sent]).values == [sent])
        await #expect(throws: BusError.self) { try await client.call(echo, [.int32(3)]) }
        await #expect(throws: BusError.self) { try await client.call(echo, [.properties(["o": .object("no path")])]) }
    }

    @Test func `without a bus every question is answered with an error`() async throws {
        let nowhere = BusConnection(.at("unix:path=/nonexistent/bus"))
        await #expect(throws: BusError.self) { try await nowhere.call(Self.bus) }
        let strange = BusConnection(.at("not an address"))
        await #expect(throws: BusError.self) { try await strange.call(Self.bus) }
        strange.emit(path: "/a", interface: "a.b", signal: "C", [])
    }

    @Test func `connections that are closed leave no open file`() async throws {
        let servers = try await Servers.start(.desktop)
        let address = BusAddress.at(try #require(servers.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil))
        func events() throws -> Int {
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            return files.count { file in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)"))?
                    .contains("eventfd") == true
            }
        }
        let before = try events()
        for _ in 0..<100 { _ = try await BusConnection(address).call(Self.bus) }
        // Each ends on a thread of its own; other tests have a few.
        for _ in 0..<600 where try events() > before + 30 { try await Task.sleep(for: .milliseconds(100)) }
        #expect(try events() <= before + 30)
    }

    @Test func `an environment without a bus has none, and none is started`() {
        #expect(BusAddress.session.text([:]) == nil)
        #expect(BusAddress.session.text(["DISPLAY": ":0", "XDG_RUNTIME_DIR": "/nonexistent"]) == nil)
        #expect(BusAddress.session.text(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"]) == nil)
        #expect(BusAddress.session.text(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
    }

    @Test func `a bus that dies ends the questions that are open, and not the process`() async throws {
        let servers = try await Servers.start(.desktop)
        let bus = BusConnection(.at(try #require(servers.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil)))
        let closed = AsyncSignal()
        bus.whenClosed { closed.fire() }
        _ = try await bus.call(Self.bus)
        kill(try #require(servers.pid("DBUS_PID")), SIGKILL)
        #expect(await closed.wait(within: .seconds(120)))
        await #expect(throws: BusError.self) { try await bus.call(Self.bus) }
        bus.emit(path: "/a", interface: "a.b", signal: "C", [])
        let flushed = AsyncSignal()
        bus.flush { flushed.fire() }
        #expect(await flushed.wait(within: .seconds(120)))
    }
}

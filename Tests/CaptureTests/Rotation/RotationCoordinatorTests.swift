import DesktopBus
import Foundation
import MediaTypes
import TestSupport
import Testing

@testable import Capture

/// How far frames are turned, by iio-sensor-proxy's own measurements of a sensor that is made.
@Suite(.timeLimit(.minutes(5))) struct RotationCoordinatorTests {
    @Test func `a preview is as through glass, and a movie upright, however screen and machine are turned`() {
        for orientation in DeviceOrientation.allCases {
            // A back camera and the screen turn together.
            #expect(orientation.rotation(of: .back) == orientation.turn)
            // What looks at the viewer is turned the other way.
            #expect(orientation.rotation(of: .front) == MovieOrientation(rotation: orientation.turn).inverse.rotation)
            #expect(orientation.rotation(of: nil) == orientation.rotation(of: .front))
            #expect(orientation.rotation(of: .external) == .none)
        }
    }

    @Test(.requires(tool: "umockdev-run", package: "umockdev"))
    func `each turn of the machine is told, also after the service began anew`() async throws {
        let servers = try await Servers.start(.accelerometer)
        let bus = BusAddress.at(try #require(servers.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? nil))
        let (front, back) = (
            RotationCoordinator(position: .front, bus: bus), RotationCoordinator(position: .back, bus: bus)
        )
        #expect(await front.isAvailable())
        #expect(await back.isAvailable())
        #expect(front.videoRotationAngleForHorizonLevelCapture == .none)
        var rotations = back.rotations().makeAsyncIterator()
        for (orientation, rotation) in [
            ("left-up", MovieOrientation.Rotation.quarter), ("bottom-up", .half), ("right-up", .threeQuarters),
        ] {
            try await servers.turn(to: orientation)
            #expect(await rotations.next() == rotation, "\(orientation)")
            #expect(back.videoRotationAngleForHorizonLevelCapture == rotation)
            // On a screen that stays as it is, the preview of a back camera does so too.
            #expect(
                back.videoRotationAngleForHorizonLevelPreview(screenRotation: MovieOrientation.Rotation.none) == .none)
            #expect(back.videoRotationAngleForHorizonLevelPreview() == rotation)
        }
        kill(try #require(servers.pid("SENSOR_PROXY_PID")), SIGKILL)
        try await servers.turn(to: "normal")
        #expect(await rotations.next() == MovieOrientation.Rotation.none)
        // One that lies flat is used as before.
        try await servers.turn(to: "left-up")
        #expect(await rotations.next() == .quarter)
        try await servers.turn(to: "undefined")
        #expect(back.videoRotationAngleForHorizonLevelCapture == .quarter)
        try await servers.stop()
    }

    @Test func `a machine without the service, or without a bus, has none`() async throws {
        let coordinator = RotationCoordinator(position: .front, bus: .at("unix:path=/nowhere/bus"))
        #expect(await coordinator.isAvailable() == false)
        #expect(coordinator.videoRotationAngleForHorizonLevelCapture == .none)
    }
}

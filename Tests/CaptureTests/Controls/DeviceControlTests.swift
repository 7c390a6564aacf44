import Errors
import MediaTypes
import Testing

@testable import Capture

/// Controls of cameras in the field's words, as the drivers of real ones describe them (v4l2-ctl -L).
@Suite struct DeviceControlTests {
    /// A Logitech C920, but for a zoom that says its factor, in manual exposure of 15.6 ms.
    private static let webcam: [V4L2Control] = [
        V4L2Control(id: 0x0098_0900, title: "Brightness", range: 0...255, defaultValue: 128, value: 128),
        V4L2Control(
            id: V4L2ID.automaticWhiteBalance, kind: .boolean, title: "White Balance, Automatic", range: 0...1,
            defaultValue: 1, value: 1),
        V4L2Control(id: V4L2ID.gain, title: "Gain", range: 0...255, value: 64),
        V4L2Control(
            id: V4L2ID.powerLineFrequency, kind: .menu, title: "Power Line Frequency", range: 0...2, defaultValue: 2,
            value: 2,
            items: [
                .init(index: 0, title: "Disabled"), .init(index: 1, title: "50 Hz"), .init(index: 2, title: "60 Hz"),
            ]),
        V4L2Control(
            id: V4L2ID.whiteBalance, title: "White Balance Temperature", range: 2000...6500, step: 10,
            defaultValue: 4000,
            value: 4000, isInactive: true),
        V4L2Control(
            id: V4L2ID.exposureMode, kind: .menu, title: "Auto Exposure", range: 0...3, defaultValue: 3, value: 1,
            items: [.init(index: 1, title: "Manual Mode"), .init(index: 3, title: "Aperture Priority Mode")]),
        V4L2Control(
            id: V4L2ID.exposureTime, title: "Exposure Time, Absolute", range: 3...2047, defaultValue: 250, value: 156),
        V4L2Control(id: V4L2ID.focus, title: "Focus, Absolute", range: 0...250, step: 5, value: 0),
        V4L2Control(
            id: V4L2ID.automaticFocus, kind: .boolean, title: "Focus, Automatic Continuous", range: 0...1,
            defaultValue: 1, value: 1),
        V4L2Control(id: V4L2ID.zoom, title: "Zoom, Absolute", range: 100...500, defaultValue: 100, value: 100),
        V4L2Control(
            id: V4L2ID.exposureBias, kind: .integerMenu, title: "Auto Exposure, Bias", range: 0...2, defaultValue: 1,
            value: 1,
            items: [.init(index: 0, number: -1000), .init(index: 1), .init(index: 2, number: 333)]),
        V4L2Control(
            id: V4L2ID.flashMode, kind: .menu, title: "LED Mode", range: 0...2, value: 0,
            items: [.init(index: 0, title: "Off"), .init(index: 2, title: "Torch")]),
        V4L2Control(id: 0x009c_0905, title: "Strobe Status", range: 0...1, isReadOnly: true),
    ]
    private let controls = DeviceControl.list(of: Self.webcam)

    private func settings(_ text: String) throws -> [[Int]] {
        let plan = try ControlPlan(DeviceControlRequest.requests(text), controls, camera: "C920")
        return plan.settings.map { [Int($0.id), Int($0.value)] }
    }

    @Test func `they have the field's names, with what lets the camera see to them in the same one`() {
        #expect(
            controls.map { "\($0.name): \($0.value); \($0.choices)" } == [
                "exposure: 15.6 ms; 0.3 ms to 204.7 ms, auto or -1ev from now",
                "exposure-compensation: 0 EV; -1 EV to +0.33 EV", "gain: 64; 0 to 255",
                "white-balance: auto; 2000 K to 6500 K or auto", "focus: auto; 0 to 1 or auto", "zoom: 1x; 1x to 5x",
                "power-line-frequency: 60; off, 50 or 60", "torch: off; off or on", "brightness: 128; 0 to 255",
                "strobe-status: unknown; 0 to 1",
            ])
        #expect(
            controls[0].isAutomatic == false && controls[0].defaultValue == "auto" && controls[2].isAutomatic == nil)
        #expect(controls[0].range == 0.0003...0.2047 || abs(controls[0].range!.upperBound - 0.2047) < 1e-9)
    }

    @Test(arguments: [
        ("exposure=10ms", [[V4L2ID.exposureMode, 1], [V4L2ID.exposureTime, 100]]),
        ("exposure=1/50", [[V4L2ID.exposureMode, 1], [V4L2ID.exposureTime, 200]]),
        ("exposure=0.0003", [[V4L2ID.exposureMode, 1], [V4L2ID.exposureTime, 3]]),
        ("exposure=-1ev", [[V4L2ID.exposureMode, 1], [V4L2ID.exposureTime, 78]]),
        ("exposure=+9EV", [[V4L2ID.exposureMode, 1], [V4L2ID.exposureTime, 2047]]),
        ("exposure=auto", [[V4L2ID.exposureMode, 3]]),
        (
            "white-balance=5604K gain=40",
            [[V4L2ID.automaticWhiteBalance, 0], [V4L2ID.whiteBalance, 5600], [V4L2ID.gain, 40]]
        ),
        ("focus=0.5", [[V4L2ID.automaticFocus, 0], [V4L2ID.focus, 125]]), ("focus=auto", [[V4L2ID.automaticFocus, 1]]),
        ("zoom=2x", [[V4L2ID.zoom, 200]]), ("torch=on", [[V4L2ID.flashMode, 2]]),
        ("power_line_frequency=50Hz", [[V4L2ID.powerLineFrequency, 1]]),
        ("exposure-compensation=0.333", [[V4L2ID.exposureBias, 2]]),
    ]) func `values in the field's units become the driver's`(text: String, expected: [[UInt32]]) throws {
        #expect(try settings(text) == expected.map { $0.map { Int($0) } })
    }

    @Test(arguments: [
        ("brightness=256", "The brightness of C920 is 0 to 255, not '256'."),
        ("exposure=3s", "The exposure of C920 is 0.3 ms to 204.7 ms, auto or -1ev from now, not '3s'."),
        ("gain=auto", "The gain of C920 is 0 to 255, not 'auto'."),
        ("gain=nan", "The gain of C920 is 0 to 255, not 'nan'."),
        ("power-line-frequency=auto", "The power-line-frequency of C920 is off, 50 or 60, not 'auto'."),
        ("strobe-status=1", "The strobe-status of C920 can only be read."),
        ("brightnes=3", "C920 has no control 'brightnes'; did you mean 'brightness'?"),
        ("gain=3 over 1s", "Only zoom moves over a time; leave 'over' out for gain."),
        ("zoom=2 over 2m", "A control moves over at most 60 seconds, such as 1s, not '2m'."),
    ]) func `what cannot be set is refused with what can, and nothing is set`(text: String, sentence: String) {
        #expect { try settings("brightness=3 " + text) } throws: { "\($0)" == sentence }
    }

    @Test func `a zoom changes the field of view by the same factor in each step`() throws {
        let plan = try ControlPlan(DeviceControlRequest.requests("zoom=4 over 2s"), controls, camera: "C920")
        let ramp = try #require(plan.ramps.first)
        #expect(plan.settings.isEmpty && plan.movesZoom)
        #expect(
            [0, 0.5, 1, 1.5, 2, 9].map { ramp.value(at: MediaTime(seconds: $0)) } == [100, 141, 200, 283, 400, 400])
        #expect(plan.words(controls) == ["zoom moves to 4x over 2 s"])
    }

    @Test func `in the end all is as it was, the last first`() {
        var changes = ControlChanges()
        changes.note(V4L2Setting(id: 1, value: 0), before: 3)
        changes.note(V4L2Setting(id: 2, value: 10), before: 7)
        changes.note(V4L2Setting(id: 2, value: 11), before: 10)
        #expect(changes.again == [V4L2Setting(id: 1, value: 0), V4L2Setting(id: 2, value: 11)])
        #expect(changes.restoring == [V4L2Setting(id: 2, value: 7), V4L2Setting(id: 1, value: 3)])
    }
}

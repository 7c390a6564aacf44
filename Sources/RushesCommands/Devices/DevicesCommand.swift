package import ArgumentParser
import Capture

/// `rushes devices`: what can be recorded from.
package struct DevicesCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List cameras and microphones.",
        discussion: """
            Lists what --camera and --microphone of the other commands take: by its id, which stays the same after a \
            restart, or by any part of its name that fits one device only. The star marks the default.

            EXAMPLES
              rushes devices                          a table
              rushes devices --formats                with every size and rate
              rushes devices --controls               with what can be set of each
              rushes devices --json | jq -r .id       one JSON object a line
              rushes devices --watch                  and keep watching: + added, - removed
            """)

    @Flag(help: "Print one JSON object per device and line.")
    var json = false

    @Flag(help: "Keep running and report devices that come and go, until interrupted.")
    var watch = false

    @Flag(help: "Print every size and rate of each camera.")
    var formats = false

    @Flag(
        help: "Print what can be set of each camera with --set, and how loud each microphone is in the sound settings.")
    var controls = false

    package init() {}

    package func validate() throws {
        if controls, watch { throw ValidationError("--controls are as they are now; leave --watch out.") }
    }

    package func run() async throws {
        let discovery = DeviceDiscovery()
        let listing = await discovery.listing()
        let controls = controls ? await DeviceControls(of: listing.devices) : nil
        if json {
            for device in listing.devices { StandardStreams.printResult(try DeviceLine(device, controls).text) }
        } else {
            for line in DeviceTable(listing.devices, showsFormats: formats, controls: controls).lines {
                StandardStreams.printText(line, indent: 4)
            }
        }
        for sentence in listing.diagnostics { StandardStreams.printNote("rushes: \(Sentence(sentence).text)") }
        guard watch else { return }
        StandardStreams.endWithReader()
        for await change in discovery.changes(since: listing) {
            StandardStreams.printResult(
                json ? try DeviceLine(change).text : Sentence.printable(DeviceTable.line(change)))
        }
    }
}

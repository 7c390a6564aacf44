public import Foundation

/// Where the project's own scripts and media are, found from this source file.
public enum Checkout {
    /// The folder of `Package.swift`.
    public static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The path of a script, for example `Checkout.script("with-pulseaudio")` or `Checkout.script("lib/hold")`.
    public static func script(_ name: String) -> String {
        folder.appending(path: "scripts").appending(path: name).path
    }

    /// The path of a file in `Tests/Media`.
    public static func media(_ name: String) -> String {
        folder.appending(path: "Tests/Media").appending(path: name).path
    }

    /// Ten seconds of Big Buck Bunny: 854×480 H.264 at 24 frames a second, AAC 5.1 at 48 kHz.
    public static var clip: String { media("big-buck-bunny.mp4") }
}

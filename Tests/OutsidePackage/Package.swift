// swift-tools-version: 6.1
import PackageDescription

/// A program of somebody else, which depends on Rushes as any program does. It is no part of Rushes' own package.
let package = Package(
    name: "outside",
    dependencies: [.package(name: "rushes", path: "../..")],
    targets: [
        .executableTarget(
            name: "Outside",
            dependencies: ["ActivityPage", "DesktopActivity", "Rushes"].map { .product(name: $0, package: "rushes") },
            // A switch over an enum that may grow has `@unknown default`, which is a warning over any other.
            swiftSettings: [.unsafeFlags(["-warnings-as-errors"])])
    ]
)

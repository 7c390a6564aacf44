// swift-tools-version: 6.1
import Foundation
import PackageDescription

/// Continuous integration turns every warning of this package into an error; a user's newer compiler must not fail on one.
let strict: [SwiftSetting] =
    ProcessInfo.processInfo.environment["CI"] == nil ? [] : [.unsafeFlags(["-warnings-as-errors"])]

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + strict

/// What the tests compute with there is optimized, and so is what it judges: it is compiled once and goes through millions of samples.
let optimized: [SwiftSetting] =
    ProcessInfo.processInfo.environment["CI"] == nil ? [] : [.unsafeFlags(["-O"])]

/// A whole run of scripts/test builds everything once. What goes through the bytes of frames and samples is optimized as what people get
/// is; the rest, and the tests themselves, compile in a third of the time without.
let wholeRun = ProcessInfo.processInfo.environment["RUSHES_WHOLE_RUN"] != nil
let unoptimized: [SwiftSetting] = wholeRun ? [.unsafeFlags(["-Onone"])] : []

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

/// A library target of this package; the order of the list below is the order of the layers, lowest first.
func layer(_ name: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings + more)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: settings + unoptimized)
}

let package = Package(
    name: "rushes",
    products: [
        .library(name: "Rushes", targets: ["Rushes"]),
        // For programs that show their own activities; apart, as they bring an HTTP server and D-Bus.
        .library(name: "ActivityPage", targets: ["ActivityPage"]),
        .library(name: "DesktopActivity", targets: ["DesktopActivity"]),
        .executable(name: "rushes", targets: ["rushes"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CGStreamer",
            pkgConfig:
                "gstreamer-1.0 gstreamer-base-1.0 gstreamer-app-1.0 gstreamer-audio-1.0 gstreamer-fft-1.0 gstreamer-video-1.0 gstreamer-pbutils-1.0",
            providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
        .systemLibrary(
            name: "CGIO", pkgConfig: "gio-2.0 gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        // Debian's libyuv has no pkg-config file: its module map names the library.
        .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"])]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        // Headers only: all five are loaded at run time, where they are installed.
        .systemLibrary(name: "CHEIF", providers: [.apt(["libheif-dev"])]),
        .systemLibrary(name: "CRaw", providers: [.apt(["libraw-dev"])]),
        .systemLibrary(name: "CASS", providers: [.apt(["libass-dev"])]),
        .systemLibrary(name: "CLibAV", providers: [.apt(["libavcodec-dev", "libavfilter-dev", "libavformat-dev"])]),
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(name: "CEXIF", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CFileSpace"),
        .systemLibrary(name: "CV4L2"),
        layer("MediaTypes", []),
        layer("Threads", []),
        layer("SharedLibraries", []),
        layer("MediaDecoding", ["CLibAV", "MediaTypes", "SharedLibraries", systemPackage]),
        layer("Errors", ["Threads"]),
        layer("MediaFilters", ["CLibAV", "MediaTypes", "SharedLibraries", "Threads"]),
        layer("AnimatedImages", ["CLibAV", "Errors", "MediaFilters", "SharedLibraries"]),
        layer("FileSystem", ["CFileSpace", "Threads", systemPackage]),
        layer("GStreamer", ["CGStreamer", "MediaTypes", "Threads", logging, systemPackage], unoptimized),
        layer("Alignment", ["GStreamer"], optimized),
        layer("Imaging", ["CYUV", "Errors", "MediaTypes"], optimized),
        layer("EditProjects", ["Imaging", "MediaTypes"], unoptimized),
        layer(
            "Composition",
            ["EditProjects", "Errors", "GStreamer", "Imaging", "MediaTypes", "Threads", logging, systemPackage]),
        layer(
            "Photos",
            [
                "CEXIF", "CHEIF", "CRaw", "CTurboJPEG", "CYUV", "CZLib", "Imaging", "MediaTypes", "SharedLibraries",
                systemPackage,
            ], unoptimized),
        layer("ProRes", [], optimized),
        layer("PulseAudio", ["CPulse", "SharedLibraries", "Threads"]),
        layer(
            "MovieFiles", ["CFileSpace", "CZLib", "Errors", "FileSystem", "MediaTypes", systemPackage],
            unoptimized),
        layer(
            "Subtitles",
            ["CASS", "CLibAV", "Errors", "Imaging", "MediaTypes", "MovieFiles", "SharedLibraries", "Threads"]),
        layer("LiveActivity", ["Errors", "FileSystem", "Threads", systemPackage], unoptimized),
        layer("DesktopBus", ["CGIO", "Threads"]),
        layer("DesktopActivity", ["DesktopBus", "LiveActivity", "Threads"], unoptimized),
        // The page is embedded, so that a binary that was moved still has it.
        .target(
            name: "ActivityPage", dependencies: ["Errors", "LiveActivity", "Threads", systemPackage],
            resources: [.embedInCode("Page")], swiftSettings: settings + unoptimized),
        // Embedded for the same reason: the tables go wherever the library does.
        .target(
            name: "PipelineTables", path: "pipelines", exclude: ["encoders/README.md", "launch"],
            resources: [.embedInCode("encoders"), .embedInCode("encoding-profiles")], swiftSettings: settings),
        layer("Workarounds", ["Errors", "GStreamer", "MediaTypes", "MovieFiles", "Threads"]),
        layer(
            "Encoding",
            [
                "Errors", "FileSystem", "GStreamer", "MediaTypes", "MovieFiles", "PipelineTables", "ProRes", "Threads",
                "Workarounds", logging, systemPackage,
            ], unoptimized),
        layer("CaptureAudio", ["MediaTypes"]),
        layer(
            "Capture",
            [
                "CV4L2", "CaptureAudio", "DesktopBus", "GStreamer", "Composition", "EditProjects", "Encoding", "Errors",
                "FileSystem",
                "Imaging",
                "MediaTypes",
                "MovieFiles", "LiveActivity", "Photos", "PulseAudio", "Threads", "Workarounds",
                logging, systemPackage,
            ], unoptimized),
        layer(
            "Export",
            [
                "Alignment", "AnimatedImages", "CEBUR128", "GStreamer", "Composition", "EditProjects", "Encoding",
                "Errors", "FileSystem", "Imaging", "MediaDecoding", "MediaFilters", "MediaTypes",
                "MovieFiles", "LiveActivity", "Photos", "Subtitles", "Threads", "Workarounds", logging, systemPackage,
            ], unoptimized),
        layer(
            "Rushes",
            [
                "Capture", "Encoding", "Errors", "Export", "Imaging", "LiveActivity", "MediaTypes", "MovieFiles",
                systemPackage,
            ]),
        layer(
            "RushesCommands",
            [
                "Rushes", "ActivityPage", "AnimatedImages", "CQREncode", "Capture", "Composition", "DesktopActivity",
                "Encoding", "Errors", "Export", "FileSystem", "GStreamer", "Imaging", "LiveActivity", "MediaDecoding",
                "MediaFilters", "MediaTypes", "MovieFiles", "Photos", "Subtitles", "Threads", argumentParser, logging,
                systemPackage, unixSignals,
            ], unoptimized),
        .executableTarget(
            name: "rushes", dependencies: ["CMalloc", "RushesCommands"], path: "Sources/rushes-tool",
            swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["MediaTypes", "Threads", systemPackage],
            path: "Tests/TestSupport",
            swiftSettings: settings + optimized),
        tests("MediaTypesTests", ["MediaTypes"]),
        tests("ThreadsTests", ["GStreamer", "Threads"]),
        tests("ErrorsTests", ["Errors", "Threads"]),
        tests("FileSystemTests", ["FileSystem", systemPackage]),
        tests("GStreamerTests", ["CGStreamer", "GStreamer", "Threads"]),
        tests("AlignmentTests", ["Alignment"]),
        tests("ImagingTests", ["Errors", "Imaging", "MediaTypes"]),
        tests("EditProjectsTests", ["EditProjects", "Imaging", "MediaTypes"]),
        tests("CompositionTests", ["Composition", "Errors", "Imaging", "MediaTypes"]),
        tests("PhotosTests", ["Imaging", "MediaTypes", "Photos", systemPackage]),
        tests("ProResTests", ["ProRes"]),
        tests("MovieFilesTests", ["Errors", "FileSystem", "MediaTypes", "MovieFiles", systemPackage]),
        tests("LiveActivityTests", ["Errors", "FileSystem", "LiveActivity", "Threads", systemPackage]),
        tests("ActivityPageTests", ["Errors", "ActivityPage", "LiveActivity", "Threads", systemPackage]),
        tests("DesktopActivityTests", ["DesktopActivity", "DesktopBus", "LiveActivity", "Threads"]),
        tests(
            "EncodingTests",
            [
                "Encoding", "Errors", "FileSystem", "GStreamer", "MediaTypes", "MovieFiles", "PipelineTables",
                "Threads",
                "Workarounds", systemPackage,
            ]),
        tests(
            "CaptureTests",
            [
                "Capture", "CaptureAudio", "Composition", "DesktopBus", "EditProjects", "Encoding", "Errors",
                "FileSystem",
                "GStreamer", "Imaging", "LiveActivity", "MediaTypes", "MovieFiles", "Photos", "PulseAudio", "Threads",
                "Workarounds",
                systemPackage,
            ]),
        // Values on one thread, hours of audio: the thread sanitizer has nothing to see there, and would take long.
        tests("CaptureAudioTests", ["Capture", "CaptureAudio", "GStreamer", "MediaTypes"]),
        tests(
            "ExportTests",
            [
                "CGStreamer", "Composition", "EditProjects", "Encoding", "Errors", "Export", "FileSystem", "GStreamer",
                "Imaging", "LiveActivity", "MediaDecoding", "MediaTypes", "MovieFiles", "Photos", "Threads",
                "Workarounds",
                systemPackage,
            ]),
        tests(
            "RushesCommandsTests",
            [
                "Capture", "Encoding", "Errors", "GStreamer", "LiveActivity", "MediaTypes", "MovieFiles",
                "RushesCommands",
                systemPackage,
            ]),
    ]
)

// The fuzzer needs a compiler that has it, and instruments what it drives: only for scripts/fuzz.
if ProcessInfo.processInfo.environment["RUSHES_FUZZ"] != nil {
    let fuzzer = SwiftSetting.unsafeFlags(["-sanitize=fuzzer"])
    for target in package.targets where target.name == "MovieFiles" {
        target.swiftSettings = (target.swiftSettings ?? []) + [fuzzer]
    }
    package.targets.append(
        .executableTarget(
            name: "MovieFilesFuzz", dependencies: ["MediaTypes", "MovieFiles", systemPackage], exclude: ["Corpus"],
            swiftSettings: settings + [fuzzer, .unsafeFlags(["-parse-as-library"])],
            // gold, the default linker, fails on libFuzzer's debug information.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}

// It builds and runs each test once: what the thread sanitizer's build has is not in the other.
if wholeRun {
    let sanitized = [
        "Threads", "Errors", "FileSystem", "GStreamer", "ProRes", "LiveActivity", "ActivityPage", "DesktopActivity",
        "Encoding", "Capture",
    ]
    let names = Set(sanitized.map { "\($0)Tests" })
    package.targets.removeAll { names.contains($0.name) }
}

// What the thread sanitizer looks at: only for scripts/test-threads, whose build takes half the time without the rest.
if ProcessInfo.processInfo.environment["RUSHES_THREADS"] != nil {
    let rest = ["Alignment", "Export", "Rushes", "RushesCommands", "rushes"]
    let names = Set(
        rest + rest.map { "\($0)Tests" } + [
            "CaptureAudioTests", "CompositionTests", "EditProjectsTests", "ImagingTests", "MediaTypesTests",
            "MovieFilesTests", "PhotosTests", "CMalloc", "CQREncode",
        ])
    package.targets.removeAll { names.contains($0.name) }
    package.products.removeAll { names.contains($0.name) }
}

// What activities and composition cost: only for scripts/benchmark-activities and scripts/benchmark compose.
if ProcessInfo.processInfo.environment["RUSHES_BENCHMARK"] != nil {
    package.targets += [
        .executableTarget(
            name: "ActivityBenchmark", dependencies: ["LiveActivity", systemPackage],
            path: "Tests/ActivityBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "ComposeBenchmark", dependencies: ["Imaging", "MediaTypes"], path: "Tests/ComposeBenchmark",
            swiftSettings: settings),
    ]
}

import Encoding
import Errors
import GStreamer
import MediaTypes
import Testing

@testable import Capture

/// What several cameras cost together, with stated cores instead of this machine's.
@Suite struct CaptureCostTests {
    private let tables: EncoderTables
    private static let (fullHD, hd, vga) = (VideoSize(1920, 1080), VideoSize(1280, 720), VideoSize(640, 360))

    init() throws { tables = try EncoderTables(PipelineFiles.find()) }

    private static func formats(_ encoding: CaptureFormat.Encoding = .raw) -> [CaptureFormat] {
        [fullHD, hd, vga].map {
            CaptureFormat(
                encoding: encoding, pixelFormat: encoding == .raw ? "YUY2" : nil, size: $0,
                rates: [Fraction(30), Fraction(15)])
        }
    }

    private static func camera(
        _ name: String, _ size: VideoSize = fullHD, encoding: CaptureFormat.Encoding = .raw, hasOthers: Bool = true
    ) -> CaptureCost.Camera {
        .init(
            name: name, size: size, rate: Fraction(30), encoding: encoding,
            formats: hasOthers ? formats(encoding) : [])
    }

    private static func settings(_ codec: VideoCodec?) -> MovieSettings {
        var settings = MovieSettings()
        settings.videoCodec = codec
        return settings
    }

    private func cost(
        _ cameras: [CaptureCost.Camera], _ codec: VideoCodec? = .h264, each: VideoCodec?? = nil, cores: Int
    ) -> CaptureCost {
        CaptureCost(
            cameras: cameras, settings: Self.settings(codec), eachCamera: each.map(Self.settings), container: .mov,
            cores: MachineCores(count: cores))
    }

    private func cure(_ cost: CaptureCost) -> CaptureCost.Change? {
        cost.changes.first { cost.applying($0).fits(tables) }
    }

    @Test func `on many cores nothing is said`() {
        #expect(cost([Self.camera("A"), Self.camera("B")], each: .some(.h264), cores: 32).words(tables) == nil)
    }

    @Test func `where one change makes it fit, that one is told, and it is true`() throws {
        let large = cost([Self.camera("Slides"), Self.camera("Face")], each: .some(.h264), cores: 2)
        #expect(!large.fits(tables))
        let change = try #require(cure(large))
        #expect(large.applying(change).fits(tables))
        let words = try #require(large.words(tables))
        #expect(words.hasPrefix("These 3 movies need about ") && words.hasSuffix(" it fits."), "\(words)")
        #expect(!words.contains("other programs"))
        var busy = cost([Self.camera("Slides", Self.hd), Self.camera("Face", Self.vga)], cores: 2)
        busy = CaptureCost(
            cameras: busy.cameras, settings: busy.settings, container: .mov, cores: MachineCores(count: 2, free: 0.1))
        #expect(busy.words(tables)?.contains("can be given to it, as other programs take 1.9: ") == true)
        // The codec that somebody chose is the first to go.
        let dear = cost(
            [Self.camera("Slides", Self.hd), Self.camera("Face", Self.vga)], each: .some(.prores), cores: 2)
        if !dear.fits(tables) { #expect(cure(dear) == .codecOfEach(.h264)) }
    }

    @Test func `without other modes only fewer movies help`() {
        let fixed = cost(
            [Self.camera("A", Self.hd, hasOthers: false), Self.camera("B", Self.hd, hasOthers: false)],
            each: .some(.h264), cores: 1)
        #expect(fixed.changes == [.onlyComposed])
    }

    @Test func `compressed frames cost more than raw ones`() throws {
        let (raw, packed) = (
            cost([Self.camera("A"), Self.camera("B")], cores: 4),
            cost([Self.camera("A", encoding: .mjpeg), Self.camera("B", encoding: .mjpeg)], cores: 4)
        )
        #expect(try packed.shared(tables).limit <= raw.shared(tables).limit)
        #expect(
            try cost([Self.camera("A", encoding: .mjpeg), Self.camera("B", encoding: .mjpeg)], cores: 1)
                .shared(tables).limit < 0.4)
    }

    @Test(arguments: [1, 2, 4, 8, 16, 32]) func `sizes that are left open are chosen so that all fit`(cores: Int) throws
    {
        let device = CaptureDevice(id: "a", name: "A", kind: .camera, backend: .v4l2, formats: Self.formats())
        let other = CaptureDevice(id: "b", name: "B", kind: .camera, backend: .v4l2, formats: Self.formats())
        func plans(_ size: VideoSize? = nil) throws -> [VideoSourcePlan] {
            try VideoSourcePlan.plans(
                [(.device(device), FormatRequest(size: size)), (.device(other), FormatRequest())],
                settings: Self.settings(.h264), eachCamera: Self.settings(.h264), container: .mov,
                cores: MachineCores(count: cores))
        }
        let chosen = try plans()
        let fits = CaptureCost(
            chosen, settings: Self.settings(.h264), eachCamera: Self.settings(.h264), container: .mov,
            cores: MachineCores(count: cores))?.fits(tables)
        // What fits is chosen; where nothing does, what would have been chosen anyway.
        #expect(fits == true || chosen.allSatisfy { $0.format?.size == Self.fullHD })
        if cores >= 2 { #expect(fits == true) }
        if cores >= 32 { #expect(chosen.allSatisfy { $0.format?.size == Self.fullHD }) }
        // What somebody asks for is had.
        #expect(try plans(Self.fullHD)[0].format?.size == Self.fullHD)
    }
}

import GStreamer
import Testing

@testable import Encoding

/// Several movies at once, with stated elements and cores instead of this machine's.
@Suite struct SharedCoresTests {
    private let tables: EncoderTables
    private let software = InstalledElements.these("x264enc", "x265enc", "rushesproresenc")

    init() throws { tables = try EncoderTables(PipelineFiles.find()) }

    private func request(_ codec: VideoCodec? = .h264, _ size: VideoSize, _ rate: Fraction = Fraction(30), cores: Int)
        -> VideoRequest
    {
        VideoRequest(codec: codec, container: .mov, size: size, rate: rate, cores: cores)
    }

    private static let (hd, vga) = (VideoSize(1280, 720), VideoSize(640, 480))

    @Test(arguments: [1, 2, 4, 8, 16, 64]) func `together they take no more than one may`(cores: Int) throws {
        let requests = [Self.hd, Self.hd, Self.vga].map { request($0, cores: cores) }
        let shared = try SharedCores(requests, tables, installed: software)
        #expect(shared.load <= shared.limit + 1e-9 || !shared.isRealTime)
        #expect(shared.shares.reduce(0, +) <= 1 + 1e-9 || !shared.isRealTime)
        // The planner, given its share alone, comes to the same.
        for (index, encoder) in shared.encoders.enumerated() where shared.isRealTime {
            var own = requests[index]
            own.freeCores = Double(cores) * shared.shares[index]
            #expect(try tables.videoEncoders(for: own, installed: software).first?.load ?? 9 >= encoder.load - 1e-9)
        }
    }

    @Test func `more cores never make an encoder faster than fewer do`() throws {
        var last = 0.0
        for cores in 1...32 {
            let shared = try SharedCores(
                [Self.hd, Self.hd, Self.vga].map { request($0, cores: cores) }, tables, installed: software)
            if shared.isRealTime { #expect(shared.encoders[0].load >= last - 1e-9, "\(cores)") }
            if shared.isRealTime { last = shared.encoders[0].load }
        }
        #expect(last > 0)
    }

    @Test func `hardware takes nothing of the cores, and the others have them all`() throws {
        let installed = InstalledElements.these("vah264enc", "x265enc", "rushesproresenc")
        let shared = try SharedCores(
            [request(.h264, Self.hd, cores: 2), request(.hevc, Self.vga, cores: 2)], tables, installed: installed)
        #expect(shared.encoders.map(\.element) == ["vah264enc", "x265enc"])
        #expect(shared.encoders[0].load == 0 && shared.isRealTime)
        let alone = try SharedCores([request(.hevc, Self.vga, cores: 2)], tables, installed: installed)
        #expect(shared.encoders[1].speed == alone.encoders[0].speed)
    }

    @Test func `what else runs beside them is left its cores`() throws {
        let requests = [Self.hd, Self.vga].map { request($0, cores: 4) }
        let (free, busy) = (
            try SharedCores(requests, tables, installed: software),
            try SharedCores(requests, reserving: 3, tables, installed: software)
        )
        #expect(busy.limit < free.limit && busy.load < free.load)
        #expect(try !SharedCores(requests, reserving: 4, tables, installed: software).isRealTime)
    }
}

extension SharedCoresTests {
    private func request(_ size: VideoSize, cores: Int) -> VideoRequest { request(.h264, size, cores: cores) }
}

import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("Where samples lie in a copy")
struct CopyLayoutTests {
    /// All frames first, then all audio, each as one chunk.
    private func apart(_ original: URL) throws -> URL {
        let url = Scratch.directory.unique(original.pathExtension)
        let bytes = [UInt8](try Data(contentsOf: original))
        try ReadableFile.open(FilePath(original.path)) { (file) throws(MovieFileError) in
            let plan = try CopyPlan(try CopySource(file), file, .init(), nil)
            var data: [UInt8] = []
            var chunks: [[SampleTable.Chunk]] = []
            let brands = try plan.brands().serialized()
            let start = brands.count + 8
            for (index, track) in plan.tracks.enumerated() {
                let offset = UInt64(start + data.count)
                for piece in try track.pieces(track: index) {
                    data += bytes[Int(piece.offset)..<Int(piece.offset + piece.size)]
                }
                chunks.append([.init(offset: offset, sampleCount: track.table.count)])
            }
            var writer = ByteWriter()
            writer.append(contentsOf: brands)
            try writer.box("mdat") { (writer: inout ByteWriter) in writer.append(contentsOf: data) }
            try plan.index(chunks: chunks, isWide: true).write(to: &writer)
            _ = FileManager.default.createFile(atPath: url.path, contents: Data(writer.bytes))
        }
        return url
    }

    @Test("video and audio that lie apart come together again", arguments: [CopyInput.aac, .pcm])
    func interleaving(_ input: CopyInput) async throws {
        let original = try await CopyInput(
            description: "", ending: input.ending,
            options: input.options.replacingOccurrences(of: "-g 20", with: "-g 20 -vf tpad=stop=-1 -t 6")
                .replacingOccurrences(of: "-ac ", with: "-af apad -ac ")
        ).url()
        let apart = try apart(original)
        // ffprobe's packets of PCM audio are as long as the chunks.
        let kinds: Set<String> = input.options.contains("pcm") ? ["video"] : ["video", "audio"]
        try await Judge.expectSamePackets(apart, original, kinds: kinds)
        let (url, _) = try MovieCopy.copied(apart, .init())
        try await Judge.expectSamePackets(url, original, kinds: kinds)
        #expect(try await Judge.audio(url) == Judge.audio(original))
        try await Judge.decodesWithoutAWord(url)
        let (pieces, before) = (try pieces(url), try pieces(apart))
        #expect(before.count == 2)
        #expect(pieces.count > 20)
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.track != $1.track || $0.track == pieces.last?.track })
        // What lies together stays as it is.
        let (again, _) = try MovieCopy.copied(url, .init())
        #expect(try self.pieces(again).map(\.sampleCount) == pieces.map(\.sampleCount))
    }

    private func pieces(_ url: URL) throws -> [CopyPiece] {
        try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in
            let plan = try CopyPlan(try CopySource(file), file, .init(), nil)
            var pieces: [CopyPiece] = []
            for (index, track) in plan.tracks.enumerated() { pieces += try track.pieces(track: index) }
            return pieces.sorted { $0.offset < $1.offset }
        }
    }

    @Test("a movie may be larger than four gigabytes", arguments: [false, true])
    func large(_ putsIndexFirst: Bool) async throws {
        let recording = try await SyntheticRecording(fragments: 2, frameSize: 90_000_000)
        let url = try recording.written { try $0.finish() }.url
        let descriptor = try FileDescriptor.open(FilePath(url.path), .readOnly)
        defer { try? descriptor.close() }
        let copy = try MovieCopy(of: descriptor, options: .init(fileType: .mov, putsIndexFirst: putsIndexFirst))
        let layout = copy.layout
        let data = layout.runs.reduce(0) { $0 + UInt64($1.bytes.count) }
        #expect(data > 4_500_000_000)
        #expect(copy.fileSize == layout.dataOffset + data + UInt64(layout.tail.count))
        let index =
            putsIndexFirst ? try Box.boxes(in: layout.head.dropLast(16), at: 0).boxes[1] : try Box(layout.tail, at: 0)
        let table = try #require(index.all("trak").last?.descendant("mdia", "minf", "stbl", "co64"))
        var reader = ByteReader(table)
        try reader.skip(4)
        let offsets = try reader.readTable(Int(try reader.read(UInt32.self)), of: UInt64.self)
        #expect(try #require(offsets.last) > 4_300_000_000)
        // The fragments' heads are gone: the copy is one run for each of the muxer's.
        #expect(layout.runs.count == 4)
        // What is largest can be shared with the original, block by block.
        let sizes = layout.runs.map(\.bytes.count)
        let largest = try #require(sizes.indices.max { sizes[$0] < sizes[$1] })
        let before = layout.runs[..<largest].reduce(0) { $0 + UInt64($1.bytes.count) }
        #expect((layout.dataOffset + before) % 4096 == layout.runs[largest].bytes.lowerBound % 4096)
    }

    @Test("runs of any size arrive as they were", arguments: [1, 100, 70_000, 1_500_000])
    func runs(_ size: Int) throws {
        var random = SeededGenerator(state: 5)
        let numbers = (0..<600_000).map { _ in random.next() }
        let bytes = numbers.withUnsafeBytes { [UInt8]($0) }
        let source = Scratch.directory.unique("bin")
        try Data(bytes).write(to: source)
        var runs: [Range<UInt64>] = []
        for _ in 0..<(size < 1000 ? 3000 : 20) {
            let start = UInt64.random(in: 0..<UInt64(bytes.count - size * 2), using: &random)
            // Now and then close behind the one before.
            let last = runs.last?.upperBound ?? 0
            let from = Bool.random(using: &random) && last + UInt64(3 * size) < bytes.count ? last + 7 : start
            runs.append(from..<from + UInt64(size) + UInt64.random(in: 0..<UInt64(size), using: &random))
        }
        let target = Scratch.directory.unique("bin")
        let (reading, writing) = (
            try FileDescriptor.open(FilePath(source.path), .readOnly),
            try FileDescriptor.open(
                FilePath(target.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        )
        defer {
            try? reading.close()
            try? writing.close()
        }
        var copier = RunCopier(source: SourceFiles(reading), target: writing, position: 3)
        try copier.copy(runs.map { CopyRun(bytes: $0) }) { _ in true }
        var expected: [UInt8] = [0, 0, 0]
        for run in runs { expected += bytes[Int(run.lowerBound)..<Int(run.upperBound)] }
        #expect(copier.position == UInt64(expected.count))
        #expect(try Data(contentsOf: target) == Data(expected))
    }
}

import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("The layout of a Matroska copy")
struct MatroskaLayoutTests {
    @Test("has its cues in front, and each leads to a key frame", arguments: [CopyInput.aac, .text, .fragments])
    func cues(_ input: CopyInput) async throws {
        let (url, copy) = try await MatroskaCopyTests.copied(try input.url())
        let file = try MatroskaStructure(url)
        #expect(file.segment.data.upperBound == file.bytes.count && Int(copy.fileSize) == file.bytes.count)
        let clusters = file.parts.filter { $0.id == ElementID.cluster.rawValue }
        let cues = try #require(file.part(.cues))
        #expect(cues.offset < clusters[0].offset)
        let points = file.children(cues)
        #expect(points.count > 1)
        for point in points {
            let places = try #require(file.first(.cueTrackPositions, in: point))
            let position = try #require(file.number(file.first(.cueClusterPosition, in: places)))
            let cluster = try #require(clusters.first { $0.offset == file.segment.data.lowerBound + position })
            let block = try #require(file.first(.simpleBlock, in: cluster))
            #expect(file.number(file.first(.cueRelativePosition, in: places)) == block.offset - cluster.data.lowerBound)
            let bytes = file.bytes[block.data]
            #expect(Int(bytes[block.data.lowerBound] & 0x7F) == file.number(file.first(.cueTrack, in: places)))
            // A key frame.
            #expect(bytes[block.data.lowerBound + 3] == 0x80)
            let time = try #require(file.number(file.first(.timestamp, in: cluster)))
            let distance = Int(bytes[block.data.lowerBound + 1]) << 8 | Int(bytes[block.data.lowerBound + 2])
            #expect(file.number(file.first(.cueTime, in: point)) == time + distance)
        }
    }

    @Test("tells where each part begins", arguments: [CopyInput.text])
    func seekHead(_ input: CopyInput) async throws {
        let (url, _) = try await MatroskaCopyTests.copied(try input.url())
        let file = try MatroskaStructure(url)
        let head = try #require(file.part(.seekHead))
        var found: [Int] = []
        for seek in file.children(head) {
            let id = try #require(file.number(file.first(.seekID, in: seek)))
            let position = try #require(file.number(file.first(.seekPosition, in: seek)))
            let part = try #require(file.parts.first { $0.offset == file.segment.data.lowerBound + position })
            #expect(Int(part.id) == id)
            found.append(id)
        }
        let expected: [ElementID] = [.info, .tracks, .chapters, .tags, .cues]
        #expect(found == expected.map { Int($0.rawValue) })
    }

    @Test("is refused where edits cannot be told, or the samples cannot be as they are")
    func refusals() async throws {
        let original = try await CopyInput.aac.url()
        expectUnsupported(original, "cannot hold 'avc1'", isWebM: true)
        let bigEndianFloats = try await CopyInput(
            description: "big-endian floats", ending: "mov", options: "-c:v mpeg4 -c:a pcm_f32be"
        ).url()
        expectUnsupported(bigEndianFloats, "cannot hold 'fl32'")
    }

    @Test("keeps frames that edits hide at the end where others need them, and says so")
    func framesBehindTheEnd() async throws {
        let (hiding, _) = try MovieCopy.copied(try await CopyInput.aac.url(), .init(timeRange: .seconds(1.0, 1.8)))
        let url = Scratch.directory.unique("mkv")
        let copy = try MatroskaCopy.copy(FilePath(hiding.path), to: FilePath(url.path), options: .init(isWebM: false))
        #expect(copy.omissions.contains { $0.contains("encode it to end exactly there") }, "\(copy.omissions)")
        try await FFmpeg.decode(url.path)
    }

    private func expectUnsupported(
        _ input: URL, _ words: String, isWebM: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let url = Scratch.directory.unique("mkv")
        do {
            _ = try MatroskaCopy.copy(FilePath(input.path), to: FilePath(url.path), options: .init(isWebM: isWebM))
            Issue.record("it was written", sourceLocation: sourceLocation)
        } catch {
            guard case .unsupported(let reason) = error, reason.contains(words) else {
                Issue.record("\(error)", sourceLocation: sourceLocation)
                return
            }
        }
        #expect(!FileManager.default.fileExists(atPath: url.path), sourceLocation: sourceLocation)
    }

    @Test("ends where it is told to, and leaves nothing")
    func cancelled() async throws {
        let original = try await CopyInput.aac.url()
        let url = Scratch.directory.unique("mkv")
        #expect(throws: MovieFileError.cancelled) {
            try MatroskaCopy.copy(FilePath(original.path), to: FilePath(url.path)) { _ in false }
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("a disk that is full is told as such")
    func full() async throws {
        let original = try await FileDescriptor.open(FilePath(try CopyInput.aac.url().path), .readOnly)
        defer { try? original.close() }
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        defer { try? full.close() }
        let copy = try MatroskaCopy(of: original)
        #expect(throws: MovieFileError.noSpace(operation: "writing the movie")) { try copy.write(to: full) }
    }

    @Test("lists samples as their table does", arguments: [CopyInput.aac, .variable, .pcm])
    func samples(_ input: CopyInput) async throws {
        try await ReadableFile.open(FilePath(try input.url().path)) { (file) throws(MovieFileError) in
            for track in try CopyPlan(try CopySource(file), file, .init(), nil).tracks {
                var times: [Int64] = []
                track.table.forEachTime { _, time in times.append(time) }
                let walked = Array(SampleWalk(track.table))
                #expect(walked.map(\.presentationTime) == times)
                #expect(walked.reduce(0) { $0 + $1.size } == track.table.sizes.total)
                let syncs = walked.filter(\.isSync).map { UInt32($0.index + 1) }
                #expect(syncs == track.table.syncSamples.list ?? walked.indices.map { UInt32($0 + 1) })
                var rest = SampleWalk(track.table)
                rest.skip(to: 7)
                #expect(rest.next() == walked[7])
            }
        }
    }
}

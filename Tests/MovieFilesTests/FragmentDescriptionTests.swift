import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Fragments whose samples are coded in more ways than one (ISO/IEC 14496-12 sections 8.8.3 and 8.8.7).
@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct FragmentDescriptionTests {
    private static func fragment(_ track: UInt32, _ description: UInt32?) throws -> Box {
        let tfhd = try Box(full: "tfhd", flags: description == nil ? 0 : 2) { (writer: inout ByteWriter) in
            writer.append(track)
            if let description { writer.append(description) }
        }
        let trun = try Box(full: "trun", flags: 0x300) { (writer: inout ByteWriter) in
            writer.append(UInt32(1))
            writer.append(table: [40, 100] as [UInt32])
        }
        return Box("moof", children: [Box("traf", children: [tfhd, trun])])
    }

    @Test func `a fragment's own number counts, else its track's, else the first`() throws {
        let trex = try Box(full: "trex") { (writer: inout ByteWriter) in
            writer.append(table: [1, 2, 0, 0, 0] as [UInt32])
        }
        let defaults = try FragmentDefaults.byTrack(Box("mvex", children: [trex]))
        func description(_ track: UInt32, _ own: UInt32?) throws -> [UInt32] {
            try TrackFragment.fragments(in: Self.fragment(track, own), defaults: defaults).map(\.description)
        }
        #expect(try description(1, 3) == [3] && description(1, nil) == [2])
        #expect(try description(2, nil) == [1] && description(2, 5) == [5])
    }

    @Test func `a copy describes samples as the fragments do`() async throws {
        let original = try await CopyInput.fragments.url()
        // Another description before the right one, with which nothing can be decoded.
        let made = try EditedIndex.of(original) { moov in
            guard let index = moov.children?.firstIndex(where: { $0.type == "trak" }) else {
                throw MovieFileError.noSamples
            }
            try moov.children?[index].edit(["mdia", "minf", "stbl", "stsd"]) {
                (stsd: inout Box) throws(MovieFileError) in
                let entries = try SampleEntry.entries(of: stsd, handler: "vide")
                var wrong = entries[0]
                wrong.fields.replaceSubrange(
                    wrong.fields.startIndex + 24..<wrong.fields.startIndex + 28, with: [0, 16, 0, 16])
                wrong.extensions.removeAll { $0.type == "avcC" }
                wrong.extensions.append(
                    Box(type: "avcC", fileOffset: 0, payload: [1, 66, 0, 10, 0xFF, 0xE0, 0], children: nil))
                stsd.payload = try SampleEntry.descriptionBox([wrong, entries[0]]).payload
            }
            try moov.edit(["mvex", "trex"]) { (trex: inout Box) throws(MovieFileError) in
                try trex.overwritePayload(at: 8, with: [0, 0, 0, 2])
            }
        }
        let (copy, _) = try MovieCopy.copied(made, .init(fileType: .mp4))
        let (chunks, entries) = try ReadableFile.open(FilePath(copy.path)) { (file) throws(MovieFileError) in
            let stbl = try MovieContents(file).moov.required("trak").required("mdia").required("minf").required("stbl")
            let entries = try SampleEntry.entries(of: try stbl.required("stsd"), handler: "vide")
            return (try SampleTable(stbl, bytesPerFrame: nil).chunks, entries)
        }
        #expect(entries.count == 2 && !chunks.isEmpty && chunks.allSatisfy { $0.description == 2 })
        try await Judge.expectSamePackets(copy, try MovieCopy.copied(original, .init(fileType: .mp4)).url)
    }

    @Test func `a number that no description has loses no sample`() async throws {
        let made = try EditedIndex.of(try await CopyInput.fragments.url()) { moov in
            try moov.edit(["mvex", "trex"]) { (trex: inout Box) throws(MovieFileError) in
                try trex.overwritePayload(at: 8, with: [0, 0, 0, 9])
            }
        }
        let (copy, _) = try MovieCopy.copied(made, .init(fileType: .mp4))
        try await Judge.decodesWithoutAWord(copy)
    }
}

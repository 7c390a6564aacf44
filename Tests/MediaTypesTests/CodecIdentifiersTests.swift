@testable import MediaTypes
import Testing

struct CodecIdentifiersTests {
    @Test func `no two codecs have a name in common`() {
        let all = CodecIdentifiers.all
        for names in [
            all.map(\.name), all.map(\.displayName), all.flatMap(\.sampleEntries), all.flatMap(\.matroskaIDs),
            all.flatMap(\.mediaTypes), all.flatMap(\.fourCCs),
        ] { expectDifferent(names) }
        expectDifferent(all.flatMap(\.waveFormats))
        expectDifferent(all.flatMap(\.objectTypes))
    }

    private func expectDifferent(_ names: [some Hashable]) { #expect(Set(names).count == names.count, "\(names)") }

    @Test(arguments: CodecIdentifiers.all) func `a codec is found by what it is called in files and in caps`(
        codec: CodecIdentifiers
    ) {
        for type in codec.sampleEntries {
            // Of bytes that are no characters the number is told.
            #expect(type.utf8.count == 4 || type.hasPrefix("ms\\x0"))
            #expect(CodecIdentifiers(sampleEntry: type) == codec)
        }
        #expect(codec.matroskaIDs.allSatisfy { CodecIdentifiers(matroskaID: $0) == codec })
        #expect(codec.mediaTypes.allSatisfy { CodecIdentifiers(mediaType: $0) == codec })
        #expect(codec.fourCCs.allSatisfy { CodecIdentifiers(fourCC: $0.lowercased()) == codec })
        #expect(codec.waveFormats.allSatisfy { CodecIdentifiers(waveFormat: $0) == codec })
        #expect(codec.objectTypes.allSatisfy { CodecIdentifiers(objectType: $0) == codec })
    }

    @Test func `what no codec is called is no codec`() {
        #expect(CodecIdentifiers(sampleEntry: "none") == nil && CodecIdentifiers(matroskaID: "V_NONE") == nil)
        #expect(CodecIdentifiers(mediaType: "video/mpeg") == nil && CodecIdentifiers(mediaType: "video/x-none") == nil)
        #expect(CodecIdentifiers(fourCC: "NONE") == nil && CodecIdentifiers(waveFormat: 0xFFFF) == nil)
    }
}

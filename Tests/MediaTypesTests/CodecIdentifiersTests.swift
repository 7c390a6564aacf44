import MediaTypes
import Testing

struct CodecIdentifiersTests {
    @Test func `no two codecs have a name in common`() {
        let all = CodecIdentifiers.all
        for names in [
            all.map(\.name), all.map(\.displayName), all.flatMap(\.sampleEntries), all.map(\.matroskaID),
            all.compactMap(\.mediaType),
        ] { #expect(Set(names).count == names.count, "\(names)") }
    }

    @Test(arguments: CodecIdentifiers.all) func `a codec is found by what it is called in files and in caps`(
        codec: CodecIdentifiers
    ) {
        for type in codec.sampleEntries {
            #expect(type.utf8.count == 4 && CodecIdentifiers(sampleEntry: type) == codec)
        }
        if let type = codec.mediaType { #expect(CodecIdentifiers(mediaType: type) == codec) }
        #expect(CodecIdentifiers(sampleEntry: "none") == nil && CodecIdentifiers(mediaType: "video/x-raw") == nil)
    }
}

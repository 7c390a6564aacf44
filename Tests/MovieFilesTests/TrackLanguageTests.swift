import Testing

@testable import MovieFiles

@Suite struct TrackLanguageTests {
    private func mdia() throws -> Box {
        let mdhd = try Box(full: "mdhd") { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(UInt32(1000))
            writer.append(UInt32(0))
            writer.append(UInt32(0x55C4_0000))
        }
        return Box("mdia", children: [mdhd])
    }

    @Test(arguments: [("de", "deu"), ("ger", "deu"), ("gsw", "gsw"), ("JPN", "jpn")])
    func `three letters are all that most languages need`(name: String, code: String) throws {
        var mdia = try mdia()
        let language = try #require(TrackLanguage(name))
        try mdia.setLanguage(language)
        #expect(language.code == code)
        #expect(mdia.children?.count == 1)
        #expect(try TrackLanguage(mdia) == language)
    }

    @Test func `what three letters do not say has a box of its own`() throws {
        var mdia = try mdia()
        try mdia.setLanguage(try #require(TrackLanguage("pt-BR")))
        #expect(mdia["elng"]?.payload.elementsEqual([0, 0, 0, 0] + Array("pt-BR".utf8) + [0]) == true)
        let packed = (UInt16(0x10) << 10) | (UInt16(0x0F) << 5) | 0x12
        #expect(UInt16(bigEndianBytes: mdia["mdhd"]?.payload.dropFirst(20).prefix(2) ?? []) == packed)
        #expect(try TrackLanguage(mdia)?.tag == "pt-BR")
        // Another one takes its place wholly.
        try mdia.setLanguage(try #require(TrackLanguage("eng")))
        #expect(mdia["elng"] == nil)
        #expect(try TrackLanguage(mdia)?.tag == "en")
    }

    @Test(arguments: ["", "und", "UND", "d", "deutsch", "d€", "de-", "-", "a b", "de-waytoolongpart"])
    func `what is no language is none`(name: String) { #expect(TrackLanguage(name) == nil) }

    @Test func `a header without a language has none`() throws { #expect(try TrackLanguage(mdia()) == nil) }
}

import Testing

@testable import ProRes

@Suite struct CodebookTests {
    static let books = [Codebook.firstDC] + Codebook.dc + Codebook.run + Codebook.level

    /// The word as text, with its leading zeros.
    func word(_ code: (bits: UInt32, count: UInt32)) -> String {
        let digits = String(code.bits, radix: 2)
        return String(repeating: "0", count: Int(code.count) - digits.count) + digits
    }

    @Test(arguments: books.indices)
    func noWordBeginsAnother(book: Int) {
        let words = (0..<3000).map { word(Self.books[book].code($0)) }.sorted()
        for (word, next) in zip(words, words.dropFirst()) { #expect(!next.hasPrefix(word)) }
    }

    @Test func theWordsAreThoseOfTheStandard() {
        // Rice order 0, exponential order 1, one leading zero: 1, 010, 011, 00100 …
        #expect((0..<4).map { word(Codebook.run[4].code($0)) } == ["1", "010", "011", "00100"])
        // Rice order 5: the five low bits after a one.
        #expect(word(Codebook.firstDC.code(3)) == "100011")
        #expect(word(Codebook.firstDC.code(32)) == "01000000")
    }

    @Test func theTablesHoldTheSameWords() {
        for (row, book) in Codebook.level.enumerated() {
            for value in 0..<CodeTable.size {
                let word = CodeTable.level.words[row * CodeTable.size + value]
                let code = book.code(UInt32(value))
                #expect(word >> 8 == code.bits && word & 0xFF == code.count)
            }
        }
    }

    @Test func bitsAreWrittenHighestFirst() {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
        defer { memory.deallocate() }
        var writer = BitWriter(memory)
        writer.put(0b101, 3)
        writer.put(0, 7)
        writer.put(0xFFFF_FFFF, 32)
        writer.put((bits: 1, count: 40))
        #expect(writer.finish() == 11)
        let bytes = (0..<11).map { memory[$0] }
        #expect(bytes == [0b1010_0000, 0b0011_1111, 0xFF, 0xFF, 0xFF, 0b1100_0000, 0, 0, 0, 0, 0b0100_0000])
    }
}

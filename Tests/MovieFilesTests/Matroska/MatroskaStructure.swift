import Foundation

@testable import MovieFiles

/// A Matroska file taken apart, as far as its tests ask.
struct MatroskaStructure {
    struct Element {
        var id: UInt32
        /// Where it begins, and where its data does.
        var offset: Int
        var data: Range<Int>
    }

    let bytes: [UInt8]
    let segment: Element
    let parts: [Element]

    init(_ url: URL) throws {
        bytes = [UInt8](try Data(contentsOf: url))
        let top = Self.elements(bytes, bytes.startIndex..<bytes.endIndex)
        segment = top[1]
        parts = Self.elements(bytes, segment.data)
    }

    /// The elements that fill a range; one that reaches beyond it is the last.
    static func elements(_ bytes: [UInt8], _ range: Range<Int>) -> [Element] {
        var elements: [Element] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let idLength = bytes[place].leadingZeroBitCount + 1
            let id = bytes[place..<place + idLength].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let sizePlace = place + idLength
            let sizeLength = bytes[sizePlace].leadingZeroBitCount + 1
            let size =
                bytes[sizePlace..<sizePlace + sizeLength].reduce(0) { $0 << 8 | Int($1) } & ~(1 << (7 * sizeLength))
            let data = sizePlace + sizeLength
            elements.append(Element(id: id, offset: place, data: data..<data + size))
            place = data + size
        }
        return elements
    }

    func children(_ element: Element) -> [Element] { Self.elements(bytes, element.data) }

    func all(_ id: ElementID, in element: Element) -> [Element] { children(element).filter { $0.id == id.rawValue } }

    func first(_ id: ElementID, in element: Element) -> Element? { all(id, in: element).first }

    func part(_ id: ElementID) -> Element? { parts.first { $0.id == id.rawValue } }

    func number(_ element: Element?) -> Int? {
        element.map { bytes[$0.data].reduce(0) { $0 << 8 | Int($1) } }
    }

    func text(_ element: Element?) -> String? {
        element.map { String(decoding: bytes[$0.data], as: UTF8.self) }
    }
}

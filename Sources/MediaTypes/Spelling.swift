/// Whether a person may have meant another word.
package enum Spelling {
    /// Letters that are wrong, missing or too many, at most one in so many, in the whole or in one word of it.
    package static func isNear(_ text: String, _ name: String, oneIn letters: Int = 3) -> Bool {
        let words = [name] + name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let wanted = Array(text.lowercased())
        return words.contains { word in
            let other = Array(word.lowercased())
            return !other.isEmpty && distance(wanted, other) * letters <= max(wanted.count, other.count)
        }
    }

    /// The word that a person most likely meant; nil where none is near.
    package static func nearest(_ text: String, among names: [String]) -> String? {
        names.filter { isNear(text, $0) }.min {
            distance(Array(text.lowercased()), Array($0.lowercased()))
                < distance(Array(text.lowercased()), Array($1.lowercased()))
        }
    }

    /// Levenshtein's distance.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let replaced = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j + 1] + 1, row[j] + 1)
            }
        }
        return row[right.count]
    }
}

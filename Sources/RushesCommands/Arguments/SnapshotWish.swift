import ArgumentParser

/// What `rushes control ID snapshot [COUNT] [FILE]` asks for.
struct SnapshotWish {
    /// `nil` where it was not said.
    var count: Int?
    var path: String?

    /// As typed.
    init(_ first: String?, _ second: String?) {
        count = first.flatMap { Self.number($0) }
        path = count == nil ? second ?? first : second
        isAmbiguous = count == nil && second != nil
    }

    /// As sent: "20 /a/path", "/a/path", "20" or nothing.
    init(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        count = words.first.flatMap { Self.number($0) }
        let rest = count == nil ? text : words.dropFirst().first ?? ""
        path = rest.isEmpty ? nil : rest
        isAmbiguous = false
    }

    /// Whether a file stands where the number should.
    private let isAmbiguous: Bool

    /// A name has an ending.
    private static func number(_ text: String) -> Int? {
        text.allSatisfy { ("0"..."9").contains($0) } ? Int(text.prefix(9)) : nil
    }

    func resolved(_ absolute: (String) -> String) -> Self {
        var wish = self
        wish.path = path.map(absolute)
        return wish
    }

    /// As it is sent; `nil` for one beside the movie.
    var text: String? {
        let words = [count.map { "\($0)" }, path].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    static let endings: Set<String> = ["jpg", "jpeg", "png"]

    /// - Throws: what is wrong with it.
    func check() throws {
        if isAmbiguous {
            throw ValidationError("How many snapshots are taken is a number before the file, such as 20.")
        }
        if let count, !(1...100).contains(count) {
            throw ValidationError("1 to 100 snapshots are taken at once, and not \(count).")
        }
        if let path, !Self.endings.contains(path.split(separator: ".").last?.lowercased() ?? "") {
            throw ValidationError("A snapshot is a .jpg or .png file; give '\(path)' such an ending.")
        }
    }

    /// - Throws: that there is no burst of what has one frame at a time.
    func checkSingle() throws {
        if let count, count > 1 { throw ValidationError("A timelapse has one last shot; leave the number out.") }
    }
}

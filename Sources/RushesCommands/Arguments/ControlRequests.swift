import ArgumentParser

/// What `rushes control ID snapshot [CAMERA] [COUNT] [FILE]` asks for.
struct SnapshotRequest {
    /// Whether a short movie around it is wanted too.
    var isMoving = false
    /// The one of several cameras; `nil` for what is recorded.
    var camera: String?
    /// `nil` where it was not said.
    var count: Int?
    var path: String?

    /// As typed: a file has an ending, a camera has none.
    init(words: [String]) {
        var left = words[...]
        if let first = left.first, Self.number(first) == nil, !Self.hasEnding(first) { camera = left.removeFirst() }
        let (first, second) = (left.first, left.dropFirst().first)
        count = first.flatMap { Self.number($0) }
        path = count == nil ? second ?? first : second
        isAmbiguous = left.count > (count == nil ? 1 : 2)
    }

    /// As sent: "20 /a/path", "/a/path", "20" or nothing, and before it perhaps "moving" and "camera=NAME", with a tab behind each.
    init(_ text: String) {
        var text = text
        if text.hasPrefix(Self.movingKey) {
            isMoving = true
            text.removeFirst(Self.movingKey.count)
        }
        if text.hasPrefix(Self.cameraKey), let tab = text.firstIndex(of: "\t") {
            camera = String(text[..<tab].dropFirst(Self.cameraKey.count))
            text = String(text[text.index(after: tab)...])
        }
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        count = words.first.flatMap { Self.number($0) }
        let rest = count == nil ? text : words.dropFirst().first ?? ""
        path = rest.isEmpty ? nil : rest
        isAmbiguous = false
    }

    /// Whether a file stands where the number should.
    private let isAmbiguous: Bool

    private static let (movingKey, cameraKey) = ("moving\t", "camera=")

    /// Two to four letters or digits behind the last point.
    private static func hasEnding(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && (2...4).contains(parts.last?.count ?? 0)
            && parts.last?.allSatisfy(\.isLetterOrNumber) == true
    }

    /// A name has an ending. More than any number is as many as can be.
    private static func number(_ text: String) -> Int? {
        text.isEmpty || !text.allSatisfy { ("0"..."9").contains($0) } ? nil : Int(text) ?? .max
    }

    func resolved(_ absolute: (String) -> String) -> Self {
        var wish = self
        wish.path = path.map(absolute)
        return wish
    }

    /// As it is sent; `nil` for one beside the movie.
    var text: String? {
        let words = [count.map { "\($0)" }, path].compactMap(\.self).joined(separator: " ")
        let text = (isMoving ? Self.movingKey : "") + (camera.map { "\(Self.cameraKey)\($0)\t" } ?? "") + words
        return text.isEmpty ? nil : text
    }

    static let endings: Set<String> = ["jpg", "jpeg", "png"]

    /// - Throws: what is wrong with it.
    func check() throws {
        if isAmbiguous {
            throw ValidationError("How many snapshots are taken is a number before the file, such as 20.")
        }
        if let count, !(1...100).contains(count) {
            throw ValidationError("1 to 100 snapshots are taken at once; give such a number.")
        }
        if isMoving, count ?? 1 > 1 { throw ValidationError("--moving is for one snapshot; leave the number out.") }
        if let path, !Self.endings.contains(path.split(separator: ".").last?.lowercased() ?? "") {
            throw ValidationError("A snapshot is a .jpg or .png file; give '\(path)' such an ending.")
        }
    }

    /// - Throws: that there is no burst of what has one frame at a time.
    func checkSingle() throws {
        if let count, count > 1 { throw ValidationError("A timelapse has one last shot; leave the number out.") }
        if isMoving { throw ValidationError("A timelapse has single shots; leave --moving out.") }
        if let camera { throw ValidationError("A timelapse has one camera; leave '\(camera)' out.") }
    }
}

extension Character {
    fileprivate var isLetterOrNumber: Bool { isLetter || isNumber }
}

/// What `rushes control ID switch [CAMERA [PLACE]]` asks for.
struct CameraSwitchRequest: Equatable {
    /// As it is named for `rushes record --camera`; `nil` for the next one.
    var camera: String?
    /// The one of several whose place it takes, by its name; `nil` for the main one.
    var place: String?

    init(camera: String?, place: String? = nil) { (self.camera, self.place) = (camera, place) }

    /// As sent: the camera, and behind a tab the place.
    init(_ text: String?) {
        let words = (text ?? "").split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        camera = words[0].isEmpty ? nil : words[0]
        place = words.dropFirst().first
    }

    var text: String { (camera ?? "") + (place.map { "\t\($0)" } ?? "") }
}

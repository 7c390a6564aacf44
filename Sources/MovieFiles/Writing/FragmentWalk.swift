import MediaTypes

/// Goes through the fragments behind a movie's first index, and over what is damaged among them to the next that is intact.
struct FragmentWalk {
    private(set) var movie: FragmentedMovie
    /// Where the last whole box ends.
    private(set) var dataEnd: UInt64
    /// What is lost before that.
    private(set) var losses: [LostRange] = []
    /// The box with which it ended: one that is not whole, or the index of a movie that died while it was finished.
    private(set) var tail: TopLevelBoxes.Entry?
    /// Where a movie begins whose fragments are not this one's.
    private(set) var otherMovie: UInt64?

    private let file: ReadableFile
    private var boxes: TopLevelBoxes
    /// An ordinary movie has nothing to look for behind damage.
    private let hasFragments: Bool
    /// Fragments whose data have not all been passed: where each begins, and its box, nil where that is damaged.
    private var pending: [(offset: UInt64, box: Box?)] = []
    private var hasData = false
    /// Behind the last box of which is known that it is a fragment's: what lies further on may be damage.
    private var known: UInt64

    init(_ start: FragmentStart, in file: ReadableFile) {
        (movie, dataEnd, known) = (start.movie, start.end, start.end)
        hasFragments = !start.isCutOff
        self.file = file
        boxes = TopLevelBoxes(file, from: start.end)
    }

    mutating func run() throws(MovieFileError) {
        while try step() {}
        guard let lost = settle(before: nil) else { return }
        // Of the last fragment only its head tells what it holds.
        (dataEnd, tail) = (lost, nil)
    }

    /// - Returns: false at the end.
    private mutating func step() throws(MovieFileError) -> Bool {
        guard let entry = try boxes.nextSensible(isRequired: false) else { return try resume() }
        let begins = entry.type == "ftyp" || entry.type == "moov"
        if begins || (entry.type == "moof" && hasData) { _ = settle(before: entry.offset) }
        // A length that is not told may be one that was overwritten.
        guard entry.isWhole, entry.header.size != nil else {
            tail = entry
            if entry.isWhole { dataEnd = entry.end }
            return try resume()
        }
        if begins { return try pass(beginning: entry) }
        if entry.type == "moof" {
            let box = try? TopLevelBoxes.load(entry, from: file)
            pending.append((entry.offset, box))
            // Where the box is damaged its length may be.
            known = box == nil ? entry.offset + UInt64(entry.header.headerSize) : entry.end
        }
        if entry.type == "mdat" { hasData = true }
        dataEnd = entry.end
        return true
    }

    /// Goes on with the next fragment behind damage; false where there is none.
    private mutating func resume() throws(MovieFileError) -> Bool {
        guard hasFragments, let next = try FragmentSearch.next(from: known, in: file) else { return false }
        // Fragments that are cut off keep what the file holds of them.
        let isOther = try begins(next)
        if isOther { takeCutOff(before: next) }
        if settle(before: next) == nil { lose(max(known, movie.dataEnd), before: next) }
        (dataEnd, tail) = (next, nil)
        boxes.move(to: next)
        return true
    }

    /// Takes in the fragments whose data end here.
    ///
    /// - Parameter limit: where the next fragment begins; nil at the end of the file.
    /// - Returns: where the first begins that is damaged; nil where all are intact.
    private mutating func settle(before limit: UInt64?) -> UInt64? {
        var lost: UInt64?
        for fragment in pending {
            let isTaken = fragment.box.map { (try? movie.add(moof: $0, before: limit)) != nil } ?? false
            if !isTaken { lost = lost ?? fragment.offset }
        }
        (pending, hasData) = ([], false)
        if let lost, let limit { lose(lost, before: limit) }
        return lost
    }

    private func begins(_ offset: UInt64) throws(MovieFileError) -> Bool {
        var boxes = TopLevelBoxes(file, from: offset)
        return try boxes.next()?.type != "moof"
    }

    /// Takes in the last fragments of a recording that was cut off, and that another one follows.
    private mutating func takeCutOff(before end: UInt64) {
        for fragment in pending {
            guard let box = fragment.box, (try? movie.add(moof: box)) != nil else { continue }
        }
        pending = []
        _ = movie.removeSamples(beyond: end)
    }

    private mutating func lose(_ begin: UInt64, before end: UInt64) {
        guard begin < end else { return }
        losses.append(LostRange(offset: begin, size: end - begin, time: movie.end))
    }
}

/// What looks like the beginning of a movie behind that of this one.
extension FragmentWalk {
    /// Whether it goes on behind a second `ftyp` or `moov`: recorders that append to a file leave such, and what is sent in segments
    /// may have the head of each. The index of a movie that died while it was finished has nothing behind it.
    private mutating func pass(beginning entry: TopLevelBoxes.Entry) throws(MovieFileError) -> Bool {
        guard let index = try index(from: entry) else {
            otherMovie = entry.offset
            return false
        }
        let moov = try? TopLevelBoxes.load(index, from: file)
        if index.offset == entry.offset, moov?["mvex"] == nil, isLast(index) {
            tail = index
            return false
        }
        guard let moov, let other = try? FragmentedMovie(moov: moov), movie.isDescribed(like: other) else {
            otherMovie = entry.offset
            return false
        }
        movie.passHead()
        (dataEnd, known) = (index.end, index.end)
        boxes.move(to: index.end)
        return true
    }

    /// The `moov` that a beginning has before its data; nil where data come first.
    private func index(from entry: TopLevelBoxes.Entry) throws(MovieFileError) -> TopLevelBoxes.Entry? {
        var boxes = TopLevelBoxes(file, from: entry.offset)
        while let next = try boxes.nextSensible(isRequired: false), next.isWhole, next.type != "mdat" {
            if next.type == "moov" { return next }
        }
        return nil
    }

    private func isLast(_ index: TopLevelBoxes.Entry) -> Bool {
        var boxes = TopLevelBoxes(file, from: index.end)
        while let next = try? boxes.nextSensible(isRequired: false) {
            if ["moof", "mdat", "moov", "ftyp"].contains(next.type) { return false }
        }
        return true
    }
}

/// What is changed of tracks of frames.
extension MovieHeaderEdit {
    /// A track of frames whose last one lasts for no time (ISO/IEC 14496-12, 8.6.1.2).
    static func lengthen(_ trak: UnsafeMutableRawBufferPointer) {
        guard let mdia = child(trak, "mdia"), let handler = child(mdia, "hdlr"), handler.count >= 20,
            handler[16..<20].elementsEqual("vide".utf8), let mdhd = child(mdia, "mdhd"), mdhd.count > 8,
            let times = child(mdia, "minf").flatMap({ child($0, "stbl") }).flatMap({ child($0, "stts") }),
            times.count >= 24
        else { return }
        let last = 8 + 8 * number(times, 12, 4)
        guard last >= 16, last + 8 <= times.count, number(times, last, 4) > 0, number(times, last + 4, 4) == 0
        else { return }
        increase(mdhd, mdhd[8] == 1 ? 32..<40 : 24..<28)
        guard let edits = child(trak, "edts").flatMap({ child($0, "elst") }), edits.count >= 28 else { return }
        let (entry, field) = edits[8] == 1 ? (20, 8) : (12, 4)
        let place = 16 + entry * (number(edits, 12, 4) - 1)
        if place >= 16 { increase(edits, place..<place + field) }
    }

    /// A track without edits whose samples last longer than its header says, or are shown later than they are decoded: as they stand, the
    /// last ones would begin where the track ends. Of one with edits, where one is shown so much later that qtdemux takes that for damage, as
    /// it does above twice the length that the header says.
    static func coverSamples(_ trak: UnsafeMutableRawBufferPointer) {
        guard let mdia = child(trak, "mdia"), let mdhd = child(mdia, "mdhd"),
            mdhd.count > 8,
            let samples = child(mdia, "minf").flatMap({ child($0, "stbl") }), let times = child(samples, "stts"),
            times.count >= 16
        else { return }
        let places = (0..<min(number(times, 12, 4), (times.count - 16) / 8)).map { 16 + 8 * $0 }
        let decoded = places.reduce(0) { $0 &+ number(times, $1, 4) &* number(times, $1 + 4, 4) }
        let latest = child(samples, "ctts").map { offsets(in: $0).max() ?? 0 } ?? 0
        let length = child(trak, "edts") == nil ? decoded &+ latest : latest / 2
        let field = mdhd[8] == 1 ? 32..<40 : 24..<28
        guard field.upperBound <= mdhd.count, length < Int(Int32.max) else { return }
        // Movies in fragments list no samples here, and say nothing of their length.
        let told = number(mdhd, field.lowerBound, field.count)
        guard told >= 1, told < length else { return }
        write(length, to: mdhd, field.lowerBound, field.count)
    }

    /// A track of frames with an edit, of which some are shown before their decoding times (QTFF, composition shift least greatest).
    static func showLater(_ trak: UnsafeMutableRawBufferPointer) {
        guard let mdia = child(trak, "mdia"), let handler = child(mdia, "hdlr"), handler.count >= 20,
            handler[16..<20].elementsEqual("vide".utf8), let edits = child(trak, "edts").flatMap({ child($0, "elst") }),
            let samples = child(mdia, "minf").flatMap({ child($0, "stbl") }), let offsets = child(samples, "ctts"),
            offsets.count >= 16, edits.count >= 16
        else { return }
        let least = Self.offsets(in: offsets).min() ?? 0
        guard least < 0, least > Int(Int32.min / 4) else { return }
        for place in offsetPlaces(in: offsets) { write(signed(offsets, place, 4) - least, to: offsets, place, 4) }
        // It would be told once more by how much all are later.
        if let shift = child(samples, "cslg") { shift[4..<8].copyBytes(from: "skip".utf8) }
        let width = edits[8] == 1 ? 8 : 4
        for entry in 0..<min(number(edits, 12, 4), (edits.count - 16) / (2 * width + 4)) {
            let place = 16 + entry * (2 * width + 4) + width
            // Nothing is shown where the media time is -1.
            let time = signed(edits, place, width)
            if time >= 0, time < Int(Int32.max / 2) { write(time - least, to: edits, place, width) }
        }
    }

    /// How much later than they are decoded frames are shown, as a `ctts` says.
    private static func offsets(in box: UnsafeMutableRawBufferPointer) -> [Int] {
        offsetPlaces(in: box).map { signed(box, $0, 4) }
    }

    private static func offsetPlaces(in box: UnsafeMutableRawBufferPointer) -> [Int] {
        guard box.count >= 16 else { return [] }
        return (0..<min(number(box, 12, 4), (box.count - 16) / 8)).map { 20 + 8 * $0 }
    }

    private static func signed(_ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ count: Int) -> Int {
        let value = number(bytes, place, count)
        return count == 4 ? Int(Int32(truncatingIfNeeded: value)) : value
    }

    private static func write(_ value: Int, to bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ count: Int) {
        for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index))) }
    }

    /// Adds 1 to a number.
    private static func increase(_ box: UnsafeMutableRawBufferPointer, _ field: Range<Int>) {
        // All bits are set where the length is not known.
        guard field.upperBound <= box.count, field.contains(where: { box[$0] != 0xFF }) else { return }
        for index in field.reversed() {
            box[index] &+= 1
            if box[index] != 0 { return }
        }
    }
}

import Foundation

/// How much of audio alone primes a decoder, where the file tells it the way that iTunes does (`iTunSMPB`) and not by an edit.
extension Box {
    /// Gives the only track of a `moov` the edit that players take the item for: priming and padding are not presented.
    mutating func addGaplessEdit() throws(MovieFileError) {
        guard self["mvex"] == nil, all("trak").count == 1, let trak = all("trak").first, trak["edts"] == nil,
            let mdia = trak["mdia"], try mdia["hdlr"]?.handlerType() == "soun", let told = gaplessAudio
        else { return }
        let media = try TimeHeader(try mdia.required("mdhd"))
        let timescale = try TimeHeader(try required("mvhd")).timescale
        // Counted in samples, as the track is as a rule.
        guard told.priming < media.duration, told.length <= media.duration - told.priming, told.length > 0,
            let entry = try mdia.descendant("minf", "stbl", "stsd").map({ (stsd) throws(MovieFileError) in
                try SampleEntry.entries(of: stsd, handler: "soun").first
            }) ?? nil, try AudioFields(entry).sampleRate == Double(media.timescale)
        else { return }
        let edit = EditList.Edit(
            duration: try told.length.rescaled(from: media.timescale, to: timescale), mediaTime: told.priming)
        let box = try EditList(edits: [edit]).box()
        try editAll("trak") { (trak: inout Box) in trak.insert(box, after: "tkhd") }
    }

    /// What the item tells, in samples; nil where there is none: hexadecimal numbers, of which the second is the priming, the third the
    /// padding and the fourth the length of what is presented.
    private var gaplessAudio: (priming: UInt64, length: UInt64)? {
        guard let meta = self["udta"]?["meta"].flatMap({ try? MetaBox($0) }), let list = meta["ilst"],
            let items = try? ItemList(list).items
        else { return nil }
        for item in items where item.type == "----" {
            guard let parts = try? Box.boxes(in: item.payload, at: item.payloadOffset).boxes,
                parts.contains(where: { $0.type == "name" && $0.payload.dropFirst(4).elementsEqual("iTunSMPB".utf8) }),
                let numbers = ItemList.text(item)?.split(separator: " "), numbers.count > 3,
                let priming = UInt64(numbers[1], radix: 16), let length = UInt64(numbers[3], radix: 16)
            else { continue }
            return (priming, length)
        }
        return nil
    }
}

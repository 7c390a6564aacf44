extension FrameTable {
    /// As much of a key frame as its parameter sets are looked for in.
    private static let headSize = 1024

    /// Checks that no picture of H.264 or HEVC brings a sequence of its own kind along, as of another size: a movie has one
    /// description of them all.
    ///
    /// - Throws: `unsupported` where one does.
    func expectOneSequence(_ entry: SampleEntry, _ file: ReadableFile) throws(MovieFileError) {
        guard let record = try ParameterSetRecord(entry) else { return }
        let known = Set(record.units)
        for index in 0..<count where isKey[index] {
            var rest = try file.read(upTo: min(Int(sizes[index]), Self.headSize), at: offsets[index])[...]
            units: while rest.count > record.lengthSize {
                let length = rest.prefix(record.lengthSize).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(record.lengthSize)
                guard let first = rest.first, length > 0, length <= rest.count else { break }
                switch record.codec.kind(first) {
                case .picture: break units
                case .sequenceSet where !known.contains(Array(rest.prefix(length))):
                    throw .unsupported(reason: "its pictures change their kind on the way")
                default: rest = rest.dropFirst(length)
                }
            }
        }
    }
}

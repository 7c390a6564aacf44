/// The first `moov` of a movie that was finished, and then lost its index at the end, as a copy that broke off does.
///
/// Finishing overwrote 16 bytes of it with the head of an `mdat`: its own head and that of the `mvhd` inside, which
/// both can be told from what follows. All boxes behind are untouched.
struct HiddenMovieBox {
    var box: Box
    /// Where it ends and the first fragment begins.
    var end: UInt64

    private static let maximumSize: UInt64 = 64 << 20

    /// nil where the `mdat` does not begin like that.
    init?(_ mdat: TopLevelBoxes.Entry, in file: ReadableFile) throws(MovieFileError) {
        guard mdat.header.headerSize == 16, let version = try file.read(upTo: 1, at: mdat.offset + 16).first,
            version <= 1
        else { return nil }
        let movieHeaderEnd = mdat.offset + 8 + (version == 1 ? 120 : 108)
        var boxes = TopLevelBoxes(file, from: movieHeaderEnd)
        var hasTracks = false
        end = movieHeaderEnd
        while let entry = try? boxes.next(), entry.isWhole, entry.type.isPlausible {
            if entry.type == "moof" { break }
            if entry.type == "trak" { hasTracks = true }
            end = entry.end
            guard end - mdat.offset <= Self.maximumSize else { return nil }
        }
        guard hasTracks else { return nil }
        var writer = ByteWriter()
        writer.append(UInt32(truncatingIfNeeded: end - mdat.offset))
        writer.append(FourCC("moov"))
        writer.append(UInt32(truncatingIfNeeded: movieHeaderEnd - mdat.offset - 8))
        writer.append(FourCC("mvhd"))
        writer.append(contentsOf: try file.read(upTo: Int(end - mdat.offset - 16), at: mdat.offset + 16))
        box = try Box(writer.bytes, at: mdat.offset)
    }
}

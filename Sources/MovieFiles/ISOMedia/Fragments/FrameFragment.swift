/// A movie fragment that holds one frame (ISO/IEC 14496-12 section 8.8), for what has to be on the disk as soon as it is encoded.
///
/// Its data are counted from its own beginning, which is where the data of a fragment's first track count from where nothing says
/// otherwise.
struct FrameFragment {
    let trackID: UInt32
    /// From 1.
    let sequenceNumber: UInt32
    /// In the track's timescale, as ``duration``.
    let decodeTime: UInt64
    let duration: UInt32
    /// Of the frame, in bytes.
    let size: UInt32
    let isSync: Bool

    /// `sample_depends_on` 2 and 1 of section 8.8.3.1, and `sample_is_non_sync_sample`.
    private var sampleFlags: UInt32 { isSync ? 0x0200_0000 : 0x0101_0000 }

    /// The `moof`, behind which an `mdat` of ``size`` bytes belongs.
    func box() throws(MovieFileError) -> [UInt8] {
        // The offset of the data needs the size of the box, which does not depend on it.
        let size = try box(dataOffset: 0).count
        return try box(dataOffset: Int32(clamping: size + 8))
    }

    /// The head of that `mdat`.
    var dataHeader: [UInt8] {
        var writer = ByteWriter()
        writer.append(size + 8)
        writer.append(FourCC("mdat"))
        return writer.bytes
    }

    private func box(dataOffset: Int32) throws(MovieFileError) -> [UInt8] {
        let header = try Box(full: "mfhd") { (writer: inout ByteWriter) in writer.append(sequenceNumber) }
        let track = try Box(full: "tfhd") { (writer: inout ByteWriter) in writer.append(trackID) }
        let time = try Box(full: "tfdt", version: 1) { (writer: inout ByteWriter) in writer.append(decodeTime) }
        // The offset of the data, and of each sample its duration, size and flags.
        let run = try Box(full: "trun", flags: 0x701) { (writer: inout ByteWriter) in
            writer.append(UInt32(1))
            writer.append(dataOffset)
            writer.append(duration)
            writer.append(size)
            writer.append(sampleFlags)
        }
        return try Box("moof", children: [header, Box("traf", children: [track, time, run])]).serialized()
    }
}

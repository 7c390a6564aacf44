extension SampleEntry {
    /// Takes away what GStreamer's muxer (1.22) says of frames that its parser says nothing of: that they are progressive. Where H.264 may code a
    /// frame as two fields, only the frames themselves tell, and decoders look there.
    mutating func removeAssumedFields() {
        guard let told = self["fiel"]?.payload.first else { return }
        let isAssumed = told == 0 || told == 1 && mayHaveFields
        if isAssumed { extensions.removeAll { $0.type == "fiel" } }
    }

    /// Whether the first parameter set of its `avcC` (ISO/IEC 14496-15 section 5.3.3.1) allows fields.
    private var mayHaveFields: Bool {
        guard let configuration = self["avcC"]?.payload.dropFirst(6),
            let length = UInt16(bigEndianBytes: configuration.prefix(2)),
            let set = AVCParameterSet(configuration.dropFirst(2).prefix(Int(length)))
        else { return false }
        return !set.isFramesOnly
    }
}

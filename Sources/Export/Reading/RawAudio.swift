enum RawAudio {
    /// Of one sample: the number in GStreamer's name of the format, such as "S16LE".
    static func bits(_ format: String) -> Int { Int(format.filter { ("0"..."9").contains($0) }) ?? 32 }
}

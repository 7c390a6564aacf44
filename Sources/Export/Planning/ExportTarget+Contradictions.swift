import Encoding

extension ExportTarget {
    /// What was asked for and cannot be done: nothing that was asked for is left out without a word.
    ///
    /// - Throws: ``ExportError`` with the cure.
    func refuseContradictions() throws(ExportError) {
        let hasRate = video != .copy && video != .prores && video != .mjpeg
        if settings.targetSize != nil, !hasRate {
            throw ExportError(
                .unsuitable, "A size can be aimed at with HEVC, H.264, AV1 and VP9 only; leave --target-size out.")
        }
        if settings.targetSize != nil, settings.rateControl != .standard {
            throw ExportError(.unsuitable, "--target-size excludes --quality and --bitrate; give one.")
        }
        if settings.targetQuality != nil, !hasRate {
            throw ExportError(
                .unsuitable, "A quality can be aimed at with HEVC, H.264, AV1 and VP9 only; leave --target-quality out."
            )
        }
        if settings.targetQuality != nil, settings.rateControl != .standard || settings.targetSize != nil {
            throw ExportError(
                .unsuitable, "--target-quality excludes --quality, --bitrate and --target-size; give one.")
        }
        if settings.chroma != nil, video == .prores {
            throw ExportError(.unsuitable, "ProRes has the colours of its profile; use --profile in place of --chroma.")
        }
        try refuseChangesOfCopies()
    }

    private func refuseChangesOfCopies() throws(ExportError) {
        if video == .copy, let (name, option) = videoOptions.first {
            throw ExportError(
                .unsuitable,
                "What is copied keeps its \(name); leave \(option) out, or choose a --codec that encodes the video again."
            )
        }
        if audio == nil, settings.channels != nil {
            throw ExportError(
                .unsuitable, "What is copied keeps its channels; leave --channels out, or choose another --audio.")
        }
    }

    /// What only an encoder can do to a frame, and the option that asks for it.
    private var videoOptions: [(name: String, option: String)] {
        let control: String? =
            switch settings.rateControl {
            case .standard: nil
            case .quality: "--quality"
            case .bitrate: "--bitrate"
            }
        let wishes: [(Bool, String, String)] = [
            (settings.size != nil, "size", "--size"), (settings.crop != nil, "edges", "--crop"),
            (settings.rate != nil, "rate", "--rate"), (settings.rotation == .apply, "turn", "--rotation"),
            (settings.deinterlacing == .always, "interlacing", "--deinterlace"),
            (control != nil, "quality", control ?? ""), (settings.bitDepth != nil, "depth", "--bit-depth"),
            (settings.chroma != nil, "colours", "--chroma"),
        ]
        return wishes.compactMap { isWished, name, option in isWished ? (name, option) : nil }
    }
}

import Encoding

extension ExportSettings {
    /// The same for a timelapse: all frames are encoded, at the times that it gives them, and there is no audio.
    var ofTimelapse: ExportSettings {
        var settings = self
        (settings.reencodes, settings.rate, settings.range) = (true, nil, nil)
        settings.parts = nil
        settings.audio = .codec(.none)
        return settings
    }
}

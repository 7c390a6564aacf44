import Errors
import GStreamer

/// One of `pipelines/encoders/*.conf`: the elements that can write a codec, best first, and how each is set.
///
/// `pipelines/encoders/README.md` describes the format.
package struct EncoderTable: Sendable, Equatable {
    /// The codec's raw value (``VideoCodec``, ``AudioCodec``), which is the file's name.
    package let codec: String
    /// The codec's name for people.
    package let name: String
    /// What the muxer is handed.
    package let caps: String
    /// The element between encoder and muxer, if it needs one.
    package let parser: String?
    /// The profiles that may be asked for; the first is the default.
    package let profiles: [String]
    /// Best first.
    package let encoders: [EncoderEntry]

    init(_ file: KeyFile, codec: String) throws(RushesError) {
        guard let group = file["codec"], let name = group["name"], let caps = group["caps"] else {
            throw RushesError(.noPipelineFiles, "\(codec).conf has no group [codec] with a name and caps")
        }
        self.codec = codec
        self.name = name
        self.caps = caps
        parser = group["parser"]
        profiles = group.list("profiles")
        var encoders: [EncoderEntry] = []
        for element in group.list("encoders") { encoders.append(try EncoderEntry(element, of: file, codec: codec)) }
        self.encoders = encoders
    }
}

extension EncoderTable {
    /// The package to install for the element that needs no special hardware: the last of the table.
    var package: String {
        encoders.last { !$0.isHardware }?.package ?? encoders.last?.package ?? "gstreamer1.0-plugins-bad"
    }
}

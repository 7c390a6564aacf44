package import GStreamer

/// How a microphone is opened: its own pipeline up to, but without, the appsink at its end.
///
/// Whatever the source is, interleaved 32-bit floats at 48 kHz come out of the last node.
public struct AudioSourcePlan: Sendable, Equatable {
    /// Samples a second of all audio inside Rushes.
    package static let sampleRate = 48_000

    /// What the source is called in messages.
    package var name: String
    /// Whether its stamps are exact on the system's clock, as a test tone's are; a microphone has a crystal of its own.
    package var isOnSystemClock: Bool
    /// Where it is a microphone of a sound server, which is recorded without a pipeline: pulsesrc can be moved to another.
    package var microphone: ServerMicrophone?
    /// From the source to what the appsink is to be linked to; for ``microphone``, what comes nearest to it in GStreamer.
    package var nodes: [PipelineDescription.Node]
    /// How many come out of the last node.
    package var channels: Int
    /// The caps of what comes out.
    package var outputFormat: Caps
    /// What was chosen, for people: "Test Microphone, mono".
    package var summary: String
    /// Amplification in decibels, kept between -100 and 60; what becomes too loud is cut off at full scale.
    public var gain = 0.0
    /// Whether silence is recorded in place of its audio.
    public var isMuted = false

    /// Whether a device that was opened for the other one serves for this.
    func opensLike(_ other: AudioSourcePlan) -> Bool {
        var same = other
        (same.gain, same.isMuted) = (gain, isMuted)
        return self == same
    }

    /// Whether a person wrote its elements (`gst:…`).
    var isLaunchLine: Bool { nodes.first?.isLaunchLine == true }

    /// The conversion that ends every plan, and the caps behind it.
    static func conversion(channels: Int) throws(GStreamerError) -> (nodes: [PipelineDescription.Node], caps: Caps) {
        // More than two channels need to say which they are: front left and right, then center and bass, then rear.
        let masks = [3: "0x7", 4: "0x33", 5: "0x37", 6: "0x3f"]
        let mask = masks[channels].map { ",channel-mask=(bitmask)\($0)" } ?? ""
        let caps = try Caps(
            "audio/x-raw,format=F32LE,rate=\(sampleRate),layout=interleaved,channels=\(channels)\(mask)")
        return ([.make("audioconvert"), .make("audioresample"), .caps(caps)], caps)
    }

    static func words(channels: Int) -> String {
        switch channels {
        case 1: "mono"
        case 2: "stereo"
        case 6: "5.1"
        default: "\(channels) channels"
        }
    }
}

/// A microphone of a sound server as somebody asked for it.
package struct ServerMicrophone: Sendable, Hashable {
    /// The source's name in the server.
    package var source: String
    /// The name for people.
    package var name: String
    /// Whether it was meant as whichever is the server's default, and may become another.
    package var followsDefault: Bool

    /// - Parameter followsDefault: whether the recording goes over to another microphone when that becomes the default.
    package init(source: String, name: String, followsDefault: Bool) {
        (self.source, self.name, self.followsDefault) = (source, name, followsDefault)
    }
}

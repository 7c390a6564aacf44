package import Encoding
package import Errors
import GStreamer
import MediaTypes

extension EncoderTables {
    /// The most bits a second that every installed encoder of a codec takes, and the one that takes no more; `nil` where they take
    /// whatever people ask for, or have no rate.
    ///
    /// It is what the elements' own properties say: x265enc (GStreamer 1.22) takes 102.4 Mbit/s, x264enc 2 Gbit/s.
    func largestRate(of codec: VideoCodec) -> (bits: Int, element: String)? {
        let asked = SizeTarget.most
        let request = VideoRequest(
            codec: codec, container: .mkv, size: VideoSize(1280, 720), rate: Fraction(30), purpose: .export,
            control: .bitrate(asked))
        let limits = ((try? videoEncoders(for: request)) ?? []).compactMap { encoder in
            encoder.limit(of: asked).map { (bits: $0, element: encoder.element) }
        }
        return limits.min { $0.bits < $1.bits }
    }

    /// Refuses a rate that an encoder of a codec does not take.
    ///
    /// - Parameter rate: bits a second.
    /// - Throws: ``RushesError`` with the cure.
    package func check(rate: Int, of codec: VideoCodec) throws(RushesError) {
        guard let most = largestRate(of: codec), rate > most.bits else { return }
        throw RushesError(
            .invalidSettings,
            "\(Term.bitrate) is at most \(most.bits / 1000)k for \(codec.displayName), as \(most.element) takes no more."
        )
    }
}

extension VideoEncoder {
    /// The rate that its element takes in place of the one that its properties are set for; `nil` where it takes that.
    fileprivate func limit(of rate: Int) -> Int? {
        guard let element = try? Element(element) else { return nil }
        let limits = properties.compactMap { property -> Int? in
            guard let value = Int(property.value.description), value > 0,
                let nearest = element.nearest(to: value, of: property.name), nearest < value
            else { return nil }
            // The property may count kilobits.
            return Int(Double(rate) * Double(nearest) / Double(value))
        }
        return limits.min()
    }
}

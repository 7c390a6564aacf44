import Errors
import GStreamer
import SystemPackage

/// A movie file as what an export is made of.
struct MovieInput: ExportInput {
    private let opened: InputFile
    let properties: InputProperties

    /// Reads what the file tells about itself. Blocks.
    ///
    /// - Throws: ``RushesError`` if it is not media or not whole.
    init(_ file: InputFile) throws(RushesError) { (opened, properties) = (file, try InputProperties(file)) }

    var file: InputFile? { opened }
    var displayName: String { opened.path.displayName }

    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource {
        let choice = StreamChoice(target: target, properties: properties)
        let decoding = MediaReader.Decoding(
            avoidsHardware: reasons.contains(.hardwareDecoder), countsFrames: properties.container == .avi,
            isFullRange: properties.isFullRange,
            timeout: reasons.contains(.usualTimeout) ? .long : .usual, caps: properties.container.caps)
        let reader = try MediaReader(opened, filters: choice.filters, decoding: decoding) { choice.treatment($0) }
        return MovieSource(file: opened, properties: properties, filters: choice.filters, reader: reader)
    }
}

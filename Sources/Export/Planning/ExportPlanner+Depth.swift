import Encoding
import Errors
import GStreamer

/// How many bits and colors of the input are kept.
extension ExportPlanner {
    /// The encoders for the input's depth and the colours that are wanted, or for as much of both as any has; with what was asked of them.
    func encoders(
        for wanted: VideoRequest, _ format: String
    ) throws(RushesError) -> Noted<(request: VideoRequest, encoders: [VideoEncoder])> {
        var (request, notes) = (wanted, PlanNotes())
        let (depth, chroma) = (request.bitDepth, notes.take(chroma(of: format)))
        // Depth shows more than colour samples do, so it is given up last.
        let depths = depth > 8 && target.bitDepth == nil ? [depth, 8] : [depth]
        let chromas = chroma != .yuv420 && target.chroma == .keep ? [chroma, .yuv420] : [chroma]
        var refusal: RushesError?
        for (depth, chroma) in depths.flatMap({ depth in chromas.map { (depth, $0) } }) {
            (request.bitDepth, request.chroma) = (depth, chroma)
            do throws(RushesError) {
                let encoders = try tables.videoEncoders(for: request)
                let name = target.video.displayName
                if chroma != chromas[0] {
                    notes.add(
                        "The colors are \(chromas[0].rawValue), which \(name) does not keep here: 4:2:0 is written.")
                }
                if depth != depths[0] {
                    notes.add("The frames have more than 8 bits, which \(name) does not keep here.")
                }
                if depth == 10,
                    let own = [12, 14, 16].first(where: { format.contains("_\($0)") || format.hasPrefix("P0\($0)") })
                {
                    notes.add("The frames have \(own) bits; 10 are kept.")
                }
                return Noted((request, encoders), notes)
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? RushesError(.encoderMissing, "No encoder fits this video.")
    }

    /// What is asked for; else 4:2:0, which is what players and hardware decoders read.
    private func chroma(of format: String) -> Noted<ChromaSubsampling> {
        let own = ChromaSubsampling(rawFormat: format)
        switch target.chroma {
        case .keep: return Noted(own)
        case .exactly(let chroma): return Noted(chroma)
        case nil:
            var notes = PlanNotes()
            if target.video == .prores {
                if own == .yuv444, target.profile != .fourFourFourFour {
                    notes.add(
                        "The colors are \(own.rawValue), and this ProRes has 4:2:2; \(Term.profile) 4444 keeps them.")
                }
            } else if own != .yuv420 {
                notes.add(
                    "The colors are \(own.rawValue); 4:2:0 is written, which all players read; HEVC and H.264 keep them with "
                        + "\(Term.chroma) keep.")
            }
            return Noted(.yuv420, notes)
        }
    }

    /// What is asked for; else the input's, but for H.264, of which most players read 8 bit only.
    func bitDepth(of format: Structure) -> Noted<Int> {
        if let depth = target.bitDepth { return Noted(depth) }
        if target.video == .prores { return Noted(10) }
        let name = format["format"]?.stringValue ?? ""
        let isDeep = ["10", "12", "14", "16"].contains { name.contains("_\($0)") } || name.hasPrefix("P01")
        guard isDeep, target.video == .h264 else { return Noted(isDeep ? 10 : 8) }
        let note =
            "The frames have more than 8 bits, which few players read in H.264: 8 are kept; \(Term.bitDepth) 10 keeps more."
        return Noted(8, PlanNotes([note]))
    }
}

import Composition
import Encoding
import Errors
import GStreamer
import Imaging
import MovieFiles
import Workarounds

/// HDR whose frames get 8 bits, which show it in bands, becomes SDR; a look-up table makes it by itself.
extension ExportPlanner {
    /// What makes SDR of the frames; nil where they stay as they are: SDR, or HDR of 10 bits; frames that stand before copied ones; and those
    /// whose colors a look-up table makes, as that is for values as they are.
    func toneMapper(for opened: OpenedTrack, bitDepth: Int) -> FrameGrader? {
        let peak = brightest(opened)
        guard bitDepth == 8, target.edge == nil, target.lookupTable == nil, ToneMapping(opened.caps, peak: peak) != nil
        else { return nil }
        return FrameGrader(toneMappingFrom: peak)
    }

    /// What is told of HDR that is not kept as it is.
    func toneNotes(_ opened: OpenedTrack, _ request: VideoRequest, _ toneMapper: FrameGrader?) -> [String] {
        if let given = opened.track.graded?.caps, let name = Colorimetry(given)?.hdrName {
            return [gradedNote(name, isSDR: Colorimetry(opened.caps)?.hdrName == nil, request)]
        }
        guard request.bitDepth == 8, let name = Colorimetry(opened.caps)?.hdrName else { return [] }
        if toneMapper != nil, let mapping = ToneMapping(opened.caps, peak: brightest(opened)) {
            let light = "\(name), up to \(Int(mapping.peak.rounded())) cd/m²"
            return [
                "HDR (\(light)) is tone-mapped to SDR\(hasTenBits(request) ? "; \(Term.bitDepth) 10 keeps it" : "")."
            ]
        }
        return [
            "The frames are HDR (\(name)) and stay so, as frames of this format are not tone-mapped; 8 bits of it show bands: "
                + "\(Term.bitDepth) 10 keeps them smooth."
        ]
    }

    /// What is told of HDR whose colors a look-up table changes: it says nothing of what it makes.
    private func gradedNote(_ name: String, isSDR: Bool, _ request: VideoRequest) -> String {
        guard isSDR else {
            return
                "The movie keeps the tags of HDR (\(name)) after the \(Term.lookupTable); with \(Term.bitDepth) 8 it is taken for one "
                + "that makes SDR, and tagged BT.709."
        }
        let cure = hasTenBits(request) ? "; \(Term.bitDepth) 10 keeps the tags of HDR" : ""
        return "The \(Term.lookupTable) is taken to make SDR of HDR (\(name)), so the movie is tagged BT.709\(cure)."
    }

    private func hasTenBits(_ wanted: VideoRequest) -> Bool {
        var request = wanted
        request.bitDepth = 10
        return (try? tables.videoEncoders(for: request))?.isEmpty == false
    }

    /// The brightest light of the video, in candela a square metre: that of its frames, or else of the display that it was mastered on; nil
    /// where nobody says, or nothing that can be true.
    private func brightest(_ opened: OpenedTrack) -> Double? { light(of: opened).brightest }
}

extension ExportPlanner {
    /// What is told of HDR10: by the frames, or else by the file's index, as ProRes has no place for it.
    func light(of opened: OpenedTrack) -> LightMetadata {
        let (own, told) = (LightMetadata(opened.caps), properties.movie?.video.first)
        // What a look-up table made SDR of has other light.
        guard opened.track.graded == nil || Colorimetry(opened.caps)?.hdrName != nil else { return own }
        let coded = opened.track.light?.metadata
        return LightMetadata(
            display: own.display ?? coded?.display ?? told?.masteringDisplay,
            content: own.content ?? coded?.content ?? told?.contentLight)
    }
}

extension LightMetadata {
    /// The brightest light that can be true, in candela a square metre: of the frames, or else of the display that they were mastered on.
    var brightest: Double? {
        [content.map { Double($0.maximum) }, display?.maximumLuminance].compactMap(\.self).first { $0 >= 100 }
    }
}

extension OpenedTrack {
    /// The same track as SDR.
    ///
    /// - Parameter writer: is told what goes wrong.
    func toneMapped(by grader: FrameGrader?, for writer: MovieWriter) -> OpenedTrack {
        guard let grader else { return self }
        var track = self
        let samples = GradedSamples(self.track.sink, grader) { [weak writer] in writer?.fail($0) }
        track.track.sink = samples
        track.begin = samples.graded(begin) ?? begin
        return track
    }
}

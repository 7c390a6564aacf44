import CaptureAudio
import Encoding
import GStreamer
import Threads

/// The audio of a recording, of each microphone by itself or of all as one track.
extension RunningRecording {
    func receive(_ chunk: AudioChunk, of microphone: Int, now: MediaTime) {
        changeAudio(microphone) { $0.take(chunk, $1, now: now) }
    }

    /// Ends a microphone's audio at the take's end; what has not come until now is silence.
    func endAudio(_ microphone: Int) {
        changeAudio(microphone) { audio, timeline in
            var timeline = timeline
            timeline.settleEnd()
            return timeline.end.map { audio.fill(to: $0, timeline) } ?? []
        }
        change { endAudio(microphone, &$0) }
    }

    func changeAudio(_ microphone: Int, _ body: (inout AudioTrack, RecordingTimeline) -> [Buffer]) {
        change { state in
            guard var audio = state.audio[microphone] else { return }
            let buffers = body(&audio, state.timeline)
            append(state.mix?.take(buffers, of: microphone) ?? buffers, of: microphone, &state)
            state.audio[microphone] = audio
            state.counts.duration = max(state.counts.duration, audio.duration)
            if audio.isComplete { endAudio(microphone, &state) }
        }
    }

    private func append(_ buffers: [Buffer], of microphone: Int, _ state: inout State) {
        for buffer in buffers where writer.append(audio: buffer, to: state.mix == nil ? microphone : 0) {
            // Frames decide where the movie begins.
            if state.frames == nil || state.start == .atOnce { state.note(buffer.presentationTime ?? .zero) }
        }
    }

    private func endAudio(_ microphone: Int, _ state: inout State) {
        guard state.audio[microphone] != nil else { return }
        state.audio[microphone] = nil
        guard state.mix != nil else { return writer.endAudio(of: microphone) }
        append(state.mix?.end(microphone) ?? [], of: microphone, &state)
        if state.isAudioOver { writer.endAudio() }
    }
}

extension RunningRecording.State {
    var isAudioOver: Bool { audio.allSatisfy { $0 == nil } }
}

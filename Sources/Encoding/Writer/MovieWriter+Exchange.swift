package import GStreamer
import Synchronization
import Threads

/// Encoders that take each other's place while frames come.
extension MovieWriter {
    /// How many faster speeds there are than the one that was chosen.
    package var fasterSpeeds: Int { plan.video?.faster.count ?? 0 }

    /// How many steps faster than that its encoder is now, or will be with the next frame.
    package var speedStep: Int { speed.load(ordering: .relaxed) }

    /// The name of a speed, as the encoder table has it.
    ///
    /// - Parameter step: how many steps faster than the one that was chosen; 0 is that one.
    package func speedName(_ step: Int) -> String? {
        guard let track = plan.video else { return nil }
        return step == 0 ? track.speed : track.faster.indices.contains(step - 1) ? track.faster[step - 1].name : nil
    }

    /// Whether the last exchange is still under way.
    package var isExchangingEncoder: Bool { video?.isExchanging ?? false }

    /// Goes over to an encoder of another speed with the frame that comes next, which becomes a key frame. No frame is lost, and the file
    /// stays one stream.
    ///
    /// - Parameter step: how many steps faster than the one that was chosen; 0 is that one.
    /// - Returns: false while the last exchange is under way, at the end, and where there is no such speed.
    /// - Throws: ``GStreamerError`` if an element is missing, or refuses a setting or to start; the encoder stays as it was then.
    package func exchangeEncoder(speed step: Int) async throws -> Bool {
        guard let video, var track = plan.video, step >= 0, step <= track.faster.count else { return false }
        if step > 0 { track.nodes = track.faster[step - 1].nodes }
        guard try await video.exchange(for: track) else { return false }
        speed.store(step, ordering: .relaxed)
        return true
    }
}

extension MovieWriter {
    /// Lets the closure change each frame as its encoder gets it, in the encoder's own format and on its thread. What it throws is this
    /// movie's ``failure``. Once, before the start.
    package func editFrames(_ edit: @escaping @Sendable (Buffer, Caps) throws -> Buffer) {
        video?.prepare { [editFailure] pipeline in
            let pad = pipeline.bin.element(named: "video-encoder")?.pad("sink")
            _ = pad?.addBufferEditor { buffer, caps in
                guard let caps = caps() else { return }
                do { buffer = try edit(buffer, caps) } catch { editFailure.withLock { $0 = $0 ?? error } }
            }
        }
    }

    /// Takes what went wrong with frames on their way here as this movie's ``failure``.
    package func fail(_ error: any Error) { editFailure.withLock { $0 = $0 ?? error } }
}

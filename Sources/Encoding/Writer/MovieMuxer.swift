import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// Puts encoded packets into one file, in a pipeline of its own. The file plays at every moment from its first fragment on.
final class MovieMuxer: Sendable {
    let pipeline: Pipeline
    let file: any MovieOutputFile
    private let inputs: [AppSource]

    /// Builds the pipeline; nothing is created on the disk.
    ///
    /// - Parameter file: makes the file for the muxer's last element.
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    init(_ plan: MoviePlan, file: (Pipeline, Element) throws -> any MovieOutputFile) throws {
        let pipeline = try plan.muxing.build(name: "movie")
        self.pipeline = pipeline
        inputs = try plan.tracks.map { track in
            guard let source = pipeline.bin.element(named: "\(track.name)-packets") else {
                throw GStreamerError(element: track.name, message: "the muxer has no such input")
            }
            return try AppSource(source)
        }
        guard let sink = pipeline.bin.element(named: "file") else {
            throw GStreamerError(element: "movie", message: "the pipeline has no end")
        }
        self.file = try file(pipeline, sink)
    }

    /// Takes a packet of a track, with the caps and the segment that say what it means. Waits where the disk is behind. False
    /// if the file takes no more.
    func append(_ packet: Sample, to track: Int) -> Bool { inputs[track].push(packet) }

    /// No packet follows in a track.
    func end(_ track: Int) { inputs[track].endOfStream() }

    /// Seconds of packets that wait.
    func waitingTime(of track: Int) -> Double { inputs[track].waitingTime.seconds }

    /// Wakes who waits for room.
    func wake() { for input in inputs { OwnThread.run("rushes-wake") { input.element.halt() } } }
}

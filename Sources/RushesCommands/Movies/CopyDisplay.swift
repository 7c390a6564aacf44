import ArgumentParser
import Encoding
import Foundation
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// Shows how far the copy of a movie is, or its reading, once that takes longer than a second: a shared or small one says nothing.
final class CopyDisplay: Sendable {
    private struct State {
        var sequence = 0
        var latest = Date.distantPast
    }

    private let reporter: ActivityReporter
    private let subtitle: String
    private let id = UUID().uuidString.lowercased()
    private let begin = Date()
    private let state = Locked(State())

    /// In seconds: from the beginning to the first word, and between two of them.
    private static let timeout = 1.0
    private static let interval = 0.2

    init(_ name: String, verb: String = "copying", style: ProgressStyle) {
        reporter = .progress(style)
        subtitle = "\(verb) \(name)"
    }

    /// - Parameter fraction: The part that is copied, from 0 to 1.
    func show(_ fraction: Double) {
        let now = Date()
        guard now.timeIntervalSince(begin) >= Self.timeout else { return }
        let sequence: Int? = state.withLock { state in
            guard now.timeIntervalSince(state.latest) >= Self.interval else { return nil }
            state.sequence += 1
            state.latest = now
            return state.sequence
        }
        guard let sequence else { return }
        var content = ContentState(
            phase: .running, fraction: min(0.999, fraction), elapsed: now.timeIntervalSince(begin))
        content.subtitle = subtitle
        post(sequence == 1 ? .start : .update, content, sequence)
    }

    /// Takes the bar away, if there is one. What came of the work the command says itself.
    func end(_ phase: ContentState.Phase) {
        let sequence = state.withLock { $0.sequence }
        guard sequence > 0 else { return }
        let content = ContentState(
            phase: phase, fraction: phase == .finished ? 1 : nil, elapsed: Date().timeIntervalSince(begin))
        post(.end, content, sequence + 1)
    }

    private func post(_ event: ActivityEvent.Event, _ content: ContentState, _ sequence: Int) {
        reporter.show(
            ActivityEvent(
                sequence: sequence, id: id, event: event, kind: .batch, timestamp: Date(), contentState: content))
    }
}

extension CopyDisplay {
    /// Runs work that copies on a thread of its own, showing how far it is. A signal ends the process, with status 130, and nothing is
    /// left of a new file.
    static func during<Value: Sendable>(
        _ name: String, style: ProgressStyle,
        _ work: @escaping @Sendable (_ progress: (Double) -> Void) throws -> Value
    ) async throws -> Value {
        let display = CopyDisplay(name, style: style)
        let signals = await StopSignals.watch { StopSignals.leave() }
        defer { signals.cancel() }
        do {
            let value = try await onOwnThread("rushes-copy") { try work(display.show) }
            display.end(.finished)
            return value
        } catch {
            display.end(.failed)
            throw error
        }
    }
}

/// Refuses a name that says that a new file is of another container than the old one, as which it is copied.
///
/// - Parameter form: what the old one is; `nil` where that is for others to say.
func refuseOtherContainer(_ target: FilePath, form: MovieForm? = .movie) throws {
    guard let form, let container = try? MovieDestination(target).container(), !form.fits(container) else { return }
    throw ValidationError(
        "The new file would not be \(container.displayName), as it keeps the old one's format; name it \(form.endings)."
    )
}

extension MovieForm {
    fileprivate func fits(_ container: Container) -> Bool {
        switch self {
        case .movie: container.isMovieFile && container.holdsVideo
        case .audioMovie: container.isMovieFile
        case .matroska: container == .mkv || container == .mka
        case .webm: container.isMatroska
        case .wave: container == .wav
        case .flac: container == .flac
        case .mp3: container == .mp3
        }
    }

    fileprivate var endings: String {
        switch self {
        case .movie: ".mov or .mp4"
        case .audioMovie: ".m4a or .mp4"
        case .matroska: ".mkv"
        case .webm: ".webm"
        case .wave: ".wav"
        case .flac: ".flac"
        case .mp3: ".mp3"
        }
    }
}

extension MovieFileType {
    /// nil where the ending says nothing of QuickTime or MP4.
    init?(endingOf target: FilePath) {
        switch try? MovieDestination(target).container() {
        case .mov: self = .mov
        case .mp4: self = .mp4
        default: return nil
        }
    }
}

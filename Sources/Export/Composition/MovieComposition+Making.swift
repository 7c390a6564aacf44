import EditProjects
public import Errors
import FileSystem
import Foundation
import MediaTypes
import MovieFiles
public import SystemPackage

extension MovieComposition {
    package init(main: FilePath, insets: [FilePath], _ settings: CompositionSettings) {
        self.init(main: main, insets: insets, steps: settings.steps(insets.count + 1))
        (alignment, audio) = (settings.alignment ?? .automatic, settings.audio)
    }

    /// The cameras' own movies of a recording, which lie beside its project "talk.otio", with its layouts and chapters. Blocks.
    ///
    /// - Throws: ``RushesError`` where it is none of ours, or cannot be read.
    public init(project: FilePath) throws(RushesError) { try self.init(project: project, CompositionSettings()) }

    /// Bytes: a project of hours has some hundred kilobytes.
    private static let largestProject = 64 << 20

    /// The same with other layouts.
    ///
    /// - Throws: ``RushesError`` where it is none of ours, or cannot be read.
    package init(project: FilePath, _ settings: CompositionSettings) throws(RushesError) {
        let name = project.displayName
        let data: Data
        do { data = try AtomicFile.read(project, limit: Self.largestProject) } catch {
            let reason = error as? Errno ?? .ioError
            throw RushesError(.badInput, on: project.string, "\(name) cannot be read: \(reason).", underlying: reason)
        }
        guard let timeline = try? ComposedTimeline(otio: data), (2...4).contains(timeline.cameras.count) else {
            throw RushesError(
                .badInput, on: project.string, "\(name) is not the project of a recording of several cameras.")
        }
        let files = timeline.cameras.map { project.removingLastComponent().appending(fileBytes: $0) }
        self.init(main: files[0], insets: Array(files.dropFirst()), settings)
        if settings.layouts.isEmpty, !timeline.steps.isEmpty {
            steps = timeline.steps.map { .init(time: $0.start, choice: $0.choice) }
        }
        // They were begun at one moment.
        alignment = settings.alignment ?? .offset(.zero)
        orientation = timeline.orientation
        chapters = timeline.chapters.map { MovieInfo.Chapter(start: $0.start, title: $0.title) }
    }
}

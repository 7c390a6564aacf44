import ArgumentParser
import EditProjects
import Export
import Foundation
import Imaging
import MovieFiles
import Rushes
import SystemPackage

extension ComposeCommand {
    /// - Throws: a `ValidationError` for options that do not go together; ``RushesError`` for a project that cannot be read.
    func composition() throws -> MovieComposition {
        let layouts = try layout.map { try TimedLayout($0) }
        guard layouts.count(where: { $0.time == nil }) < 2 else {
            throw ValidationError(
                "Only one --layout can hold from the beginning on; give the others a time, as in top-left@10s.")
        }
        var composition = try fromProject.map { try project(FilePath(typed: $0)) } ?? movies()
        if !layouts.isEmpty || composition.steps.isEmpty {
            composition.steps = steps(layouts, composition.insets.count + 1)
        }
        if let align { composition.alignment = align.alignment }
        composition.audio = audioFrom == .main ? 0 : 1
        return composition
    }

    private func movies() throws -> MovieComposition {
        guard let main else { throw ValidationError("--main is missing; name the movie that fills the frame.") }
        guard !inset.isEmpty else { throw ValidationError("--inset is missing; name the movie that is drawn into it.") }
        guard inset.count <= 3 else { throw ValidationError("--inset is given up to three times.") }
        return MovieComposition(main: FilePath(typed: main), insets: FilePath.typed(inset), steps: [])
    }

    private func project(_ path: FilePath) throws -> MovieComposition {
        guard main == nil, inset.isEmpty else {
            throw ValidationError("--from-project names the movies; leave --main and --inset out.")
        }
        let timeline: ComposedTimeline
        do {
            timeline = try ComposedTimeline(otio: Data(contentsOf: URL(filePath: path.string)))
        } catch let error as CocoaError {
            throw ValidationError("\(path) cannot be read: \(error.localizedDescription)")
        } catch {
            throw ValidationError("\(path) is no project of a recording of several cameras.")
        }
        guard timeline.cameras.count >= 2 else { throw ValidationError("\(path) names no two cameras' movies.") }
        let files = timeline.cameras.map { path.removingLastComponent().appending($0) }
        var composition = MovieComposition(
            main: files[0], insets: Array(files.dropFirst()),
            steps: timeline.steps.map { .init(time: $0.start, choice: $0.choice) })
        // They were begun at one moment.
        composition.alignment = .offset(.zero)
        composition.chapters = timeline.chapters.map { MovieInfo.Chapter(start: $0.start, title: $0.title) }
        return composition
    }

    /// In order, the first from the beginning on.
    private func steps(_ layouts: [TimedLayout], _ count: Int) -> [MovieComposition.Step] {
        let way = MediaTime(seconds: transition?.seconds ?? 0.5)
        let order = Array(0..<count)
        func step(_ layout: Layout, _ time: MediaTime) -> MovieComposition.Step {
            .init(time: time, choice: .init(layout: layout, order: order, transition: way))
        }
        let timed = layouts.map { step($0.layout, $0.time ?? .zero) }.sorted { $0.time < $1.time }
        return timed.first?.time == .zero ? timed : [step(Layout(.corner(.bottomRight)), .zero)] + timed
    }
}

import Encoding
public import Errors
import FileSystem
import MovieFiles
public import SystemPackage

/// What a batch is to do: inputs, each with the name of its output in one folder, and the settings of all.
public struct BatchPlan: Sendable {
    /// Where outputs and records are.
    package let folder: BatchFolder
    /// Of every export, as the batch was begun with them.
    package let settings: ExportSettings
    /// The same with the paths that files have here.
    let placedSettings: ExportSettings
    /// Whether files may be replaced that were not made by a batch of this folder.
    package var replacesExisting: Bool
    /// Whether outputs of earlier runs may be replaced that are no longer those of their inputs and these settings: who resumes a batch
    /// wants that.
    package var renewsOutputs = true
    /// In the order in which they are begun.
    public internal(set) var items: [BatchItem]
    /// A folder whose movies are added as they come, see ``watch(_:)``; absolute.
    package private(set) var watched: FilePath?
    /// What the folders of inputs hold that is left out, a sentence each.
    package private(set) var notes: [String] = []
    /// The ending of the outputs, without the dot.
    let ending: String

    /// - Parameters:
    ///   - inputs: movies, and folders that stand for the movies in them.
    ///   - ending: that of the outputs; each is named as its input.
    ///   - includesSubfolders: whether folders stand for the movies in folders within too, whose outputs lie in folders of the same names.
    /// - Throws: ``RushesError`` for a folder without movies, or that cannot be read.
    package init(
        inputs: [FilePath], outputs: FilePath, ending: String, settings: ExportSettings, replacesExisting: Bool = false,
        includesSubfolders: Bool = false
    ) throws(RushesError) {
        let folder = BatchFolder(outputs: outputs)
        self.folder = folder
        self.settings = settings
        placedSettings = settings
        self.replacesExisting = replacesExisting
        self.ending = ending
        let includesAudio = Self.areMadeOfAudio(ending, settings)
        var items: [BatchItem] = []
        var others: [FilePath] = []
        for input in inputs {
            guard FolderListing.isFolder(input) else {
                items.append(Self.item(input.rooted, folder, ending))
                continue
            }
            let input = input.rooted
            guard !input.isSameFile(as: folder.outputs),
                input.lexicallyNormalized() != folder.outputs.lexicallyNormalized()
            else {
                throw RushesError(
                    .invalidSettings,
                    "\(input.wireText) cannot be both input and output; choose another folder for the outputs."
                )
            }
            let found = try FolderListing.contents(
                of: input, isRecursive: includesSubfolders, without: includesSubfolders ? folder.outputs : nil,
                includesAudio: includesAudio)
            guard !found.movies.isEmpty else { throw Self.noMovie(in: input, includesSubfolders) }
            items += found.movies.map { Self.item($0, at: $0.removingLastComponent().below(input), folder, ending) }
            others += found.others
            notes += found.notes
        }
        if let note = Self.note(leavingOut: others) { notes.append(note) }
        // One that is named twice is one file.
        var seen: Set<BatchItem> = []
        self.items = items.filter { seen.insert($0).inserted }
    }

    /// - Parameters:
    ///   - works: each a main movie with what is drawn into it, or a recording's project alone.
    ///   - ending: that of the outputs; each is named as its main movie or project.
    package init(
        composing works: [(main: FilePath, insets: [FilePath])], outputs: FilePath, ending: String,
        settings: ExportSettings, replacesExisting: Bool = false
    ) {
        let folder = BatchFolder(outputs: outputs)
        (self.folder, self.settings, self.replacesExisting, self.ending) = (folder, settings, replacesExisting, ending)
        placedSettings = settings
        items = works.map { Self.item($0.main.rooted, insets: $0.insets.map(\.rooted), folder, ending) }
    }

    /// The batch whose outputs are in a folder, to resume it.
    ///
    /// - Throws: ``RushesError`` where the folder keeps none.
    public init(resuming outputs: FilePath) throws(RushesError) {
        try self.init(resuming: BatchFolder(outputs: outputs))
    }

    /// The batch that a folder keeps, to go on with it.
    ///
    /// - Parameters:
    ///   - step: the only item whose files will be asked for; all if left out.
    ///   - includesClashes: whether those are items too, behind the others, whose outputs would be those of others; they are no steps.
    /// - Throws: ``RushesError`` where it keeps none.
    package init(
        resuming folder: BatchFolder, step: Int? = nil, includesClashes: Bool = false
    ) throws(RushesError) {
        let manifest = try folder.readManifest()
        let place = BatchPlace(folder.outputs)
        self.folder = folder
        settings = manifest.settings
        placedSettings = manifest.settings(at: place)
        replacesExisting = manifest.replacesExisting
        let entries = manifest.items + (includesClashes ? manifest.clashes ?? [] : [])
        items = entries.enumerated().compactMap { number, entry in
            // On a disk that is elsewhere here each file has to be looked for: a task of thousands looks for its own.
            let isAskedFor = step == nil || step == number
            guard let inputs = manifest.inputs(of: entry, at: isAskedFor ? place : nil), let input = inputs.first,
                let name = entry.outputName
            else { return nil }
            // Beside the records, whatever they say: a folder that came from elsewhere may name any file of this person's.
            return BatchItem(input: input, insets: Array(inputs.dropFirst()), name: name, in: folder.outputs)
        }
        ending = items.first?.output.extension ?? ""
    }

    /// Whether the outputs are audio, or audio and an image, which are made of audio files too.
    package var areMadeOfAudio: Bool { Self.areMadeOfAudio(ending, settings) }

    private static func areMadeOfAudio(_ ending: String, _ settings: ExportSettings) -> Bool {
        Container(rawValue: ending)?.holdsVideo == false || settings.image != nil
    }

    /// An item for a file that comes later: its output lies in a folder of the same name as the one within the watched folder that it is in.
    func item(for input: FilePath) -> BatchItem {
        let input = input.rooted
        let place = watched.map { input.removingLastComponent().below($0) } ?? FilePath()
        return Self.item(input, at: place, folder, ending)
    }

    /// Makes it a plan for what is in a folder and what comes there. Who watches a folder again after a restart wants what came meanwhile, and
    /// not all of it again.
    ///
    /// - Throws: ``RushesError`` where the outputs would come to that very folder, by whatever name: each would be taken for a file that has just
    ///   come, and replace what it was made of.
    package mutating func watch(_ folder: FilePath) throws(RushesError) {
        let watched = folder.absolute
        guard !watched.isSameFile(as: self.folder.outputs) else {
            throw RushesError(
                .invalidSettings,
                "\(watched.wireText) and \(self.folder.outputs.wireText) are the same folder, and the outputs would be exported too; choose "
                    + "another folder for them.")
        }
        (self.watched, renewsOutputs) = (watched, false)
    }

    /// The same with a number in its output's name where another file had the input's name before: what that became stays.
    /// Cameras begin with the same name on each card.
    func besideEarlier(_ item: BatchItem) -> BatchItem {
        guard !replacesExisting, let source = FileVersion(item.input), isEarlier(item, than: source) else {
            return item
        }
        for number in 2...9999 {
            let other = Self.item(item.input, at: item.name.removingLastComponent(), folder, ending, number: number)
            if FileVersion(other.output) == nil || isMade(other, of: source) { return other }
        }
        return item
    }

    /// Whether its output is there, made of another file of the input's name.
    private func isEarlier(_ item: BatchItem, than source: FileVersion) -> Bool {
        guard let there = FileVersion(item.output), let record = folder.record(of: item) else { return false }
        return record.isOf(item.input) && record.hasMade(there) && !record.isSource(source, of: item.input.wireText)
    }

    /// Whether what has its output's name is, or was to be, made of the input as it is.
    private func isMade(_ item: BatchItem, of source: FileVersion) -> Bool {
        folder.record(of: item)?.isSource(source, of: item.input.wireText) == true
    }

    /// - Parameter place: the folder of the output, as seen from that of all.
    private static func item(
        _ input: FilePath, insets: [FilePath] = [], at place: FilePath = FilePath(), _ folder: BatchFolder,
        _ ending: String, number: Int = 1
    ) -> BatchItem {
        BatchItem(
            input: input, insets: insets, name: place.appending(outputName(input, ending, number)), in: folder.outputs)
    }

    /// The input's name with another ending, byte for byte.
    static func outputName(_ input: FilePath, _ ending: String, _ number: Int) -> FilePath.Component {
        var name = input.lastComponent.map { FilePath(root: nil, [$0]) } ?? "movie"
        name.extension = number == 1 ? ending : "\(number).\(ending)"
        return name.lastComponent ?? "movie"
    }
}

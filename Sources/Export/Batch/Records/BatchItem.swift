package import LiveActivity
import MovieFiles
public import SystemPackage

/// One file of a batch.
public struct BatchItem: Sendable, Hashable {
    /// Absolute.
    public let input: FilePath
    /// What is drawn into it, where movies are composed. Absolute.
    package let insets: [FilePath]
    /// Absolute, in the batch's folder or one below it.
    public let output: FilePath
    /// The output as seen from the batch's folder, which no other item of the batch has.
    let name: FilePath
    /// A number for the output's name by which files of the item are found: FNV-1a, 64 bits (draft-eastlake-fnv). Names may be as
    /// long as the file system allows, and hold any byte.
    let key: UInt64
    /// What is known of the input, for the progress and the disk.
    package var attributes = BatchProgress.Item()
    /// The bytes that the output is likely to take.
    package var estimate: Int64 = 0

    /// - Parameters:
    ///   - input: absolute, as the insets.
    ///   - name: of the output, as seen from the folder of the outputs.
    init(input: FilePath, insets: [FilePath] = [], name: FilePath, in outputs: FilePath) {
        (self.input, self.insets, self.name, output) = (input, insets, name, outputs.pushing(name))
        key = Self.key(of: name)
    }

    /// Whether several movies are composed; those of a project are named in it.
    var isComposed: Bool { !insets.isEmpty || input.extension == "otio" }
    /// All that is read.
    var inputs: [FilePath] { [input] + insets }

    /// The input's name, for people; with the folder that it is in where the outputs have folders too.
    package var displayName: String {
        let folder = name.removingLastComponent()
        guard !folder.isEmpty, let own = input.lastComponent else { return Self.displayName(input) }
        return folder.appending(own).wireText
    }

    /// Why it cannot be exported where another input has its output.
    func conflict(with other: FilePath) -> String {
        "\(input.wireText) and \(other.wireText) would both become \(output.wireText); rename one, or export it to another "
            + "folder."
    }

    /// Why it cannot be exported where its output is what is read, under another name perhaps.
    func replacement(of input: FilePath) -> String {
        "\(output.wireText) would replace the input \(input.wireText); choose another folder."
    }

    /// Why it was not exported, with its name: most reasons have that already.
    func sentence(_ reason: String) -> String {
        reason.contains(input.wireText) ? reason : "\(displayName): \(reason)"
    }

    static func sentence(_ reason: String, about input: FilePath) -> String {
        reason.contains(input.wireText) ? reason : "\(displayName(input)): \(reason)"
    }

    private static func displayName(_ input: FilePath) -> String {
        input.lastComponent.map { FilePath(root: nil, [$0]).wireText } ?? input.wireText
    }

    private static func key(of name: FilePath) -> UInt64 {
        name.withPlatformString { pointer in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            var place = pointer
            while place.pointee != 0 {
                hash = (hash ^ UInt64(UInt8(bitPattern: place.pointee))) &* 0x100_0000_01b3
                place += 1
            }
            return hash
        }
    }
}

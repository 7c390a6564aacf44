import Errors
import FileSystem
import Foundation
import MovieFiles
import SystemPackage

/// The files of claims. They lie among the records: creating one makes a client of NFS forget what it knew of the folder, so
/// the record that is read next is the server's.
extension BatchFolder {
    /// What has the name of a claim.
    struct FoundClaim: Sendable, Hashable {
        var number: Int
        /// `nil` where it cannot be read, as one that was created just now.
        var claim: BatchClaim?
    }

    /// What came of asking for an item.
    enum Claiming: Sendable {
        case held(BatchHold)
        /// Somebody works on it.
        case taken(FoundClaim)
        /// Nobody knows whether somebody does.
        case unknown(FoundClaim)
        /// Somebody was quicker; ask again.
        case again
    }

    /// Asks for an item once. Blocks for the disk.
    ///
    /// - Parameter silent: the highest number whose work is over, as somebody has seen who watched it.
    func claim(_ item: BatchItem, as worker: BatchWorker, silent: Int) throws -> Claiming {
        let items = try folder(Self.items)
        let record = record(of: item)
        let last = record?.starts ?? 0
        // Of an attempt that is not recorded as over the claim may still be there.
        var number = record.map { $0.state.isOver } ?? true ? last + 1 : max(last, 1)
        var overtaken: [BatchAttempt] = []
        while true {
            if let found = Self.claim(item, number, in: items) {
                switch found.claim?.verdict(for: worker) ?? .unknown {
                case .working: return .taken(found)
                case .unknown where found.number > silent: return .unknown(found)
                case .unknown, .over: break
                }
                if let claim = found.claim {
                    overtaken.append(BatchAttempt(number, by: claim.worker, began: claim.began))
                }
            } else if number > last {
                break
            }
            number += 1
        }
        guard let file = try Self.take(item, number, in: items) else { return .again }
        let hold = BatchHold(item, number, worker, overtaking: overtaken, file: file, items: items)
        // Somebody may have come and gone between the two looks.
        guard (self.record(of: item)?.starts ?? 0) < number else {
            hold.release()
            return .again
        }
        hold.removeClaims(from: max(1, last))
        return .held(hold)
    }

    /// What is among the records now.
    struct Listing {
        fileprivate let items: FolderDescriptor
        /// Items that have a record, by their keys.
        fileprivate let recorded: Set<String>
        /// The highest of each item.
        let claims: [UInt64: FoundClaim]

        /// Asks the disk for what is there only: of a thousand items that wait for nothing.
        func record(of key: UInt64) -> BatchRecord? {
            let name = BatchFolder.recordName(key)
            return recorded.contains(name) ? try? AtomicJSONFile.read(name, in: items) : nil
        }
    }

    func listing() throws(RushesError) -> Listing {
        let items = try folder(Self.items)
        var highest: [UInt64: Int] = [:]
        var recorded: Set<String> = []
        for name in items.names.map(\.string) {
            if let (key, number) = Self.numbered(name) {
                highest[key] = max(highest[key] ?? 0, number)
            } else {
                recorded.insert(name)
            }
        }
        let claims = highest.reduce(into: [UInt64: FoundClaim]()) { found, each in
            found[each.key] = Self.read(Self.name(each.key, each.value), each.value, in: items)
        }
        return Listing(items: items, recorded: recorded, claims: claims)
    }

    /// Takes away claims whose work is over.
    ///
    /// - Returns: the names of the work folders in which work may go on.
    func removeClaimsThatAreOver(for worker: BatchWorker) throws(RushesError) -> Set<String> {
        let items = try folder(Self.items)
        var kept: Set<String> = []
        for name in items.names where Self.numbered(name.string) != nil {
            let claim = Self.read(name.string, 0, in: items)?.claim
            if claim?.verdict(for: worker) == .over { items.removeFile(name) } else { kept.insert(name.string) }
        }
        return kept
    }

    private static func claim(_ item: BatchItem, _ number: Int, in items: FolderDescriptor) -> FoundClaim? {
        read(name(item.key, number), number, in: items)
    }

    private static func read(_ name: String, _ number: Int, in items: FolderDescriptor) -> FoundClaim? {
        do {
            let data = try items.contents(of: name)
            return FoundClaim(number: number, claim: try? JSONDecoder().decode(BatchClaim.self, from: data))
        } catch let reason as Errno where reason == .noSuchFileOrDirectory {
            return nil
        } catch {
            return FoundClaim(number: number)
        }
    }

    /// - Returns: `nil` where somebody has the number.
    static func take(
        _ item: BatchItem, _ number: Int, in items: FolderDescriptor
    ) throws(RushesError) -> FileDescriptor? {
        do throws(Errno) {
            return try items.file(name(item.key, number), O_WRONLY | O_CREAT | O_EXCL)
        } catch {
            guard error != .fileExists else { return nil }
            throw RushesError("The batch's record of \(item.output.wireText) cannot be written", error)
        }
    }

    static func name(_ key: UInt64, _ number: Int) -> String { "\(text(key)).\(number)" }

    /// The key and the number of a name, as this type writes them and no other way.
    static func numbered(_ name: String) -> (key: UInt64, number: Int)? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = UInt64(parts[0], radix: 16), let number = Int(parts[1]), number > 0,
            Self.name(key, number) == name
        else { return nil }
        return (key, number)
    }
}

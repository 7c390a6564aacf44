import FileSystem
import Foundation
import SystemPackage
import Threads

/// An attempt at an item that this process has claimed.
final class BatchHold: Sendable {
    /// The number of the attempt, from 1.
    let number: Int
    /// Attempts before it that were over without a word, as their claims tell.
    let overtaken: [BatchAttempt]
    private let item: BatchItem
    private let items: FolderDescriptor
    private let file: FileDescriptor
    /// The claim's file in its file system: one of its name may be another's.
    private let inode: UInt64?
    private let state: Locked<(claim: BatchClaim, isClosed: Bool)>

    /// - Parameter file: the claim's, open for writing; closed with this.
    init(
        _ item: BatchItem, _ number: Int, _ worker: BatchWorker, overtaking overtaken: [BatchAttempt] = [],
        file: FileDescriptor, items: FolderDescriptor
    ) {
        (self.item, self.number, self.overtaken, self.file, self.items) = (item, number, overtaken, file, items)
        inode = Self.name(item, number).flatMap { items.status($0) }.map { UInt64($0.st_ino) }
        state = Locked((BatchClaim(worker: worker), false))
        write(to: file)
    }

    deinit { try? file.close() }

    /// Takes how far the work is, for the next beat.
    func note(_ progress: ExportProgress) {
        state.withLock { state in
            state.claim.fraction = progress.fraction ?? state.claim.fraction
            state.claim.bytes = progress.bytesWritten
        }
    }

    /// How far the work is, from 0 to 1.
    var fraction: Double? { state.withLock { $0.claim.fraction } }

    /// Says that the work goes on. Blocks for the disk.
    ///
    /// - Returns: whether it is still this process's.
    func beat() -> Bool {
        state.withLock { $0.claim.beat += 1 }
        write(to: file)
        return isOurs
    }

    /// Whether nobody has overtaken it.
    var isOurs: Bool { isThere && (state.withLock { $0.isClosed } || status(number + 1) == nil) }

    /// Says that the output is complete and is about to get its name: nobody can overtake it from now on.
    ///
    /// - Returns: false where somebody did before.
    func close() throws -> Bool {
        guard let file = try BatchFolder.take(item, number + 1, in: items) else { return false }
        // Somebody may have overtaken it and be done: then this claim went first.
        guard isThere else {
            remove(number + 1)
            try? file.close()
            return false
        }
        state.withLock { $0.isClosed = true }
        write(to: file)
        try? file.close()
        return true
    }

    /// Takes the claim away, when the record says what came of the work.
    func release() {
        if state.withLock({ $0.isClosed }) { remove(number + 1) }
        if isThere { remove(number) }
    }

    /// Takes the claims of attempts before this one away, which are over. That comes before all else: they learn from it that they
    /// were overtaken, also when this one's claim has gone.
    func removeClaims(from first: Int) {
        for number in first..<max(first, number) { remove(number) }
    }

    private var isThere: Bool { status(number).map { UInt64($0.st_ino) == inode } ?? false }

    private func status(_ number: Int) -> stat? { Self.name(item, number).flatMap { items.status($0) } }

    private func remove(_ number: Int) {
        if let name = Self.name(item, number) { items.removeFile(name) }
    }

    private static func name(_ item: BatchItem, _ number: Int) -> FilePath.Component? {
        FilePath.Component(BatchFolder.name(item.key, number))
    }

    /// Always as long: whoever reads meanwhile finds the old or the new one, in one piece.
    private func write(to file: FileDescriptor) {
        let claim = state.withLock { $0.claim }
        guard var data = try? JSONEncoder().encode(claim) else { return }
        data += Data(repeating: UInt8(ascii: " "), count: max(0, Self.length - data.count))
        _ = try? file.writeAll(toAbsoluteOffset: 0, data)
        fdatasync(file.rawValue)
    }

    /// Bytes; a claim takes about half of it.
    private static let length = 1024
}

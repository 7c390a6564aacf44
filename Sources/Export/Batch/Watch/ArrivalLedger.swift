import SystemPackage

/// Which files of a watched folder are complete and have not been taken yet: pure.
///
/// A name counts again when the system tells that it was written or moved in, and when the file under it is another one:
/// people drop a second `clip.mov` where the first was.
struct ArrivalLedger {
    /// What was found under a name.
    struct Look: Sendable, Hashable {
        var name: FilePath
        var identity: FileVersion
    }

    /// How long a file must stay the same where nobody told of its end: who writes through a network holds
    /// nothing open here.
    static let timeout = Duration.seconds(2)

    private struct Pending {
        var identity: FileVersion
        var since: ContinuousClock.Instant
    }
    private var taken: [FilePath: FileVersion] = [:]
    private var pending: [FilePath: Pending] = [:]
    private var told: Set<FilePath> = []
    /// Taken before anybody told: what is told of them then may be of what was taken.
    private var takenUntold: Set<FilePath> = []

    /// Whether it is worth looking again soon.
    var isWaiting: Bool { !pending.isEmpty || !told.isEmpty }

    /// The system told that a file was moved in, or closed by who wrote it.
    mutating func hear(_ name: FilePath) {
        if takenUntold.remove(name) == nil { told.insert(name) }
    }

    /// The same of what has just been taken, and has not changed since: it is no other file.
    mutating func hearOfTaken(_ name: FilePath) { takenUntold.remove(name) }

    /// - Parameters:
    ///   - looks: all that is in the folder now.
    ///   - unreadable: folders within that could not be looked into: what is known of their files stays known.
    ///   - isWritten: whether somebody writes the file; `nil` where nobody can tell. Asked only of what may be ready.
    /// - Returns: what is to be taken now, in the order of the looks.
    mutating func take(
        _ looks: [Look], without unreadable: [FilePath] = [], at now: ContinuousClock.Instant,
        isWritten: (FilePath) -> Bool?
    ) -> [FilePath] {
        let names = Set(looks.map(\.name))
        func isKnown(_ name: FilePath) -> Bool {
            names.contains(name) || unreadable.contains { name.starts(with: $0) }
        }
        told = told.filter(isKnown)
        pending = pending.filter { isKnown($0.key) }
        taken = taken.filter { isKnown($0.key) }
        takenUntold = takenUntold.filter(isKnown)
        return looks.filter { isReady($0, at: now, isWritten) }.map { look in
            taken[look.name] = look.identity
            pending[look.name] = nil
            if told.remove(look.name) == nil { takenUntold.insert(look.name) } else { takenUntold.remove(look.name) }
            return look.name
        }
    }

    private mutating func isReady(
        _ look: Look, at now: ContinuousClock.Instant, _ isWritten: (FilePath) -> Bool?
    ) -> Bool {
        guard told.contains(look.name) || taken[look.name]?.hasContents(of: look.identity) != true else { return false }
        if pending[look.name]?.identity.hasContents(of: look.identity) != true {
            pending[look.name] = Pending(identity: look.identity, since: now)
        }
        // An empty file is one that somebody is about to write.
        guard look.identity.size > 0 else { return false }
        let written = isWritten(look.name)
        if told.contains(look.name), written == false { return true }
        let since = pending[look.name]?.since ?? now
        return written != true && now - since >= Self.timeout
    }
}

/// Which items of a batch run, and when: pure. What happens goes in, what is to be done comes out.
///
/// Items run in their order, a fixed number of them at a time. Nothing that happens to one stops the others.
struct BatchQueue: Sendable {
    enum Status: Sendable, Hashable {
        case waiting, running, done, skipped, failed, cancelled

        var isOver: Bool { self != .waiting && self != .running }
    }

    /// How one run of an item ended.
    enum End: Sendable, Hashable {
        case done, skipped, failed, cancelled
        /// There was no room for it: it is begun again when there is.
        case outOfSpace
    }

    enum Event: Sendable, Hashable {
        case start
        /// - Parameter fraction: how far it is, from 0 to 1; `nil` where nobody knows.
        case progress(Int, bytes: Int64, fraction: Double? = nil)
        case ended(Int, End)
        /// Bytes free on the disk of the outputs; `nil` where nobody can tell.
        case free(Int64?)
        case pause, resume
        case pauseItem(Int), resumeItem(Int), cancelItem(Int)
        /// No further item is begun; what runs is completed.
        case stop
        /// No further item is begun, and what runs is given up.
        case cancel
        /// No more items come.
        case close
    }

    enum Action: Sendable, Hashable {
        case begin(Int), pause(Int), resume(Int), cancel(Int)
        /// An item is over that never ran.
        case leaveOut(Int)
        /// All is over; said once.
        case finish
    }

    struct Item: Sendable, Hashable {
        /// Items of one name replace each other, so they never run at once.
        var name: String
        /// The bytes that its output will take.
        var estimate: Int64
        var status = Status.waiting
        var written: Int64 = 0
        /// How far it is, from 0 to 1.
        var fraction = 0.0
        /// Whether it found no space once although the disk had some.
        var isDoubted = false
        /// Whether others ran beside it since it began, and may have taken the space that it did not find.
        var ranBesideOthers = false
        /// It found no space beside others, so that none runs beside it again.
        var runsAlone = false
        /// Somebody asked for it.
        var isPaused = false
        /// What its work was told last.
        var isHeld = false
        /// It is given up, so that those before it have space, and begun again later.
        var isEvicted = false
        /// A person gave it up while it ran.
        var isCancelled = false
    }

    let jobs: Int
    /// Bytes that are left free on the disk.
    let reserve: Int64
    var items: [Item] = []
    private(set) var waiting = WaitingItems()
    /// In order.
    private(set) var running: [Int] = []
    private(set) var isPaused = false
    private(set) var isStopping = false
    private var hasBegun = false
    private var isOpen: Bool
    private var hasFinished = false
    var free: Int64?
    /// The disk was nearly full and has not had room since.
    var isShort = false

    /// - Parameters:
    ///   - isOpen: whether items may be added until it is closed.
    init(jobs: Int, reserve: Int64, isOpen: Bool = false) {
        self.jobs = max(1, jobs)
        self.reserve = reserve
        self.isOpen = isOpen
    }

    /// Adds an item behind the others; where it waits already, nothing: one name is one input.
    ///
    /// - Returns: its number, and what is to be done; `nil` where one waits, or all is over.
    mutating func add(name: String, estimate: Int64) -> (item: Int, actions: [Action])? {
        guard !hasFinished, !waiting.contains(name: name) else { return nil }
        items.append(Item(name: name, estimate: max(0, estimate)))
        waiting.insert(items.count - 1, name: name)
        return (items.count - 1, settle())
    }

    /// Adds an item that is over before it begins.
    ///
    /// - Returns: its number; `nil` where all is over.
    mutating func addFailed(name: String) -> Int? {
        guard !hasFinished else { return nil }
        items.append(Item(name: name, estimate: 0, status: .failed))
        return items.count - 1
    }

    mutating func handle(_ event: Event) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .start: hasBegun = true
        case .progress(let item, let bytes, let fraction): note(written: bytes, fraction, by: item)
        case .ended(let item, let end): ended(item, end)
        case .free(let bytes): note(free: bytes)
        case .pause: isPaused = true
        case .resume: isPaused = false
        case .pauseItem(let item): change(item) { $0.isPaused = true }
        case .resumeItem(let item): change(item) { $0.isPaused = false }
        case .cancelItem(let item): actions = cancel(item)
        case .stop: isStopping = true
        case .cancel:
            isStopping = true
            actions = running.map { .cancel($0) }
        case .close: isOpen = false
        }
        return actions + settle()
    }

    /// The only way in which the status of an item changes.
    mutating func set(_ item: Int, _ status: Status) {
        if items[item].status == .waiting { waiting.remove(item, name: items[item].name) }
        if status == .waiting { waiting.insert(item, name: items[item].name) }
        if items[item].status == .running { running.removeAll { $0 == item } }
        if status == .running { running.insert(item, at: running.firstIndex { $0 > item } ?? running.endIndex) }
        items[item].status = status
    }

    private mutating func change(_ item: Int, _ body: (inout Item) -> Void) {
        guard items.indices.contains(item), !items[item].status.isOver else { return }
        body(&items[item])
    }

    private mutating func ended(_ item: Int, _ end: End) {
        guard items.indices.contains(item), items[item].status == .running else { return }
        switch end {
        case .done: set(item, .done)
        case .cancelled where isEvicted(item):
            // What it wrote is gone.
            free = free.map { $0 + items[item].written }
            wait(item)
        case .skipped: set(item, .skipped)
        case .failed: set(item, .failed)
        case .cancelled: set(item, .cancelled)
        case .outOfSpace:
            items[item].isDoubted = hadSpace(item)
            wait(item)
        }
    }

    private mutating func cancel(_ item: Int) -> [Action] {
        guard items.indices.contains(item), !hasFinished else { return [] }
        switch items[item].status {
        case .running:
            items[item].isCancelled = true
            return [.cancel(item)]
        case .waiting:
            set(item, .cancelled)
            return [.leaveOut(item)]
        case .done, .skipped, .failed, .cancelled: return []
        }
    }

    /// What is to be done so that all is as it should be now.
    private mutating func settle() -> [Action] {
        guard hasBegun, !hasFinished else { return [] }
        var actions: [Action] = []
        let favorite = isShort ? favorite : nil
        for item in running {
            let isHeld = isPaused || items[item].isPaused || isShort && item != favorite
            guard isHeld != items[item].isHeld else { continue }
            items[item].isHeld = isHeld
            actions.append(isHeld ? .pause(item) : .resume(item))
        }
        if let victim = victim {
            items[victim].isEvicted = true
            actions.append(.cancel(victim))
        }
        while let next = next {
            for other in running { items[other].ranBesideOthers = true }
            items[next].ranBesideOthers = !running.isEmpty
            set(next, .running)
            (items[next].isHeld, items[next].isEvicted) = (false, false)
            (items[next].written, items[next].fraction) = (0, 0)
            actions.append(.begin(next))
        }
        let isDone = isStopping || (!isOpen && waiting.isEmpty)
        if isDone, running.isEmpty {
            hasFinished = true
            actions.append(.finish)
        }
        return actions
    }

    /// The item that is to begin now.
    private var next: Int? {
        guard !isPaused, !isStopping, !isShort else { return nil }
        guard running.count < jobs else { return nil }
        let busy = Set(running.map { items[$0].name })
        let first = waiting.first { !items[$0].isPaused && !busy.contains(items[$0].name) }
        let others = running.filter { !items[$0].isPaused }
        guard let first, others.isEmpty || !(others + [first]).contains(where: { items[$0].runsAlone }) else {
            return nil
        }
        // In order: a smaller one that would find room does not pass.
        return hasSpace(for: first) ? first : nil
    }
}

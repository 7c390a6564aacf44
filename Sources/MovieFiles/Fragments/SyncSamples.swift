/// Which samples of a track are sync samples; nothing is stored while all of them are.
struct SyncSamples: Sendable {
    private var count = 0
    private var numbers: [UInt32] = []
    private(set) var areAll = true

    /// The numbers of the sync samples, from 1, as `stss` lists them; nil where every sample is one.
    var list: [UInt32]? { areAll ? nil : numbers }

    mutating func append(isSync: Bool, count added: Int = 1) {
        if !isSync, areAll {
            areAll = false
            numbers = (0..<count).map { UInt32(truncatingIfNeeded: $0 + 1) }
        }
        if isSync, !areAll {
            numbers.append(contentsOf: (count..<count + added).map { UInt32(truncatingIfNeeded: $0 + 1) })
        }
        count += added
    }

    mutating func removeLast(_ removed: Int) {
        count -= min(removed, count)
        while let last = numbers.last, Int(last) > count { numbers.removeLast() }
    }
}

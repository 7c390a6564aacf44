/// The last shots that were handed to a movie: another file takes those that are not in its file when it breaks off. Pure.
///
/// Those that may not be written yet, and a few before them: of a file that may grow no more, the last ones are dropped for the index.
struct RecentShots<Shot> {
    private var shots: [(number: Int, shot: Shot)] = []

    /// How many are kept although they are in the file.
    private static var spare: Int { 8 }
    /// The same in bytes.
    private static var spareBytes: Int { 32 << 20 }

    /// Takes the next one.
    ///
    /// - Parameters:
    ///   - number: of the shot in its movie, 0 for the first that was handed over.
    ///   - bytes: of the shot.
    ///   - inFile: how many of those handed over are in the file for sure; `nil` where it does not say.
    ///   - limit: how many are kept at most.
    mutating func add(_ shot: Shot, number: Int, bytes: Int, inFile: Int?, limit: Int) {
        shots.append((number, shot))
        let next = number + 1
        let spare = min(Self.spare, max(1, Self.spareBytes / max(1, bytes)))
        let first = max(min(inFile ?? next, next - spare), next - limit)
        shots.removeAll { $0.number < first }
    }

    /// Those that are still kept, from a number on.
    func from(_ number: Int) -> [Shot] { shots.filter { $0.number >= number }.map(\.shot) }
}

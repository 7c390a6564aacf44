import Foundation

/// What other programs take for a file, and Rushes does not: an address, or "-" for standard input and output.
struct NoFile {
    /// What to do instead, to follow what it cannot be.
    let cure: String

    /// - Parameter argument: as it was typed.
    /// - Returns: `nil` for a path.
    init?(_ argument: String) {
        if argument == "-" {
            cure = "Rushes reads and writes files, not pipes; write './-' for a file of that name"
            return
        }
        guard let match = argument.wholeMatch(of: #/([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)/#) else { return nil }
        switch match.1.lowercased() {
        case "file": cure = "write the path alone, '\(Self.decoded(match.2))'"
        case "rtsp", "rtsps":
            cure =
                "Rushes reads and writes files; 'rushes record --camera \"gst:rtspsrc location=\(argument)\"' records from there"
        default:
            cure = "Rushes reads and writes files, not addresses; download what is to be read, as with 'curl -O'"
        }
    }

    /// "/home/me/a b.mov" of "/home/me/a%20b.mov", with a host or without.
    private static func decoded(_ text: Substring) -> String {
        let path = text.drop { $0 != "/" }
        return path.removingPercentEncoding ?? String(path)
    }
}

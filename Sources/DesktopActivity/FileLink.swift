import Foundation

/// A path of the wire form as a link: events name what is not UTF-8 as a link already.
enum FileLink {
    static func url(_ output: String) -> String {
        output.hasPrefix("file:") ? output : URL(filePath: output).absoluteString
    }
}

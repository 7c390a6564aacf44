import Foundation

/// A line of `--json`, by the contract's own names: what this does not know fails the test.
struct Event: Decodable {
    struct Attributes: Decodable {
        var title: String
        var output: String
        var inputs: [String]
        var parent: String?
        var pid: Int32
    }

    struct State: Decodable {
        var phase: String
        var fraction: Double?
        var elapsed: Double
        var remaining: Double?
        var mediaTime: Double?
        var mediaDuration: Double?
        var bytesWritten: Int64?
        var framesWritten: Int?
        var framesDropped: Int?
        var audioLevel: [Double]?
        var output: String?
        var message: String?
        var reason: String?
        var fileIsGood: Bool?
        var spaceFor: Double?
        var completedItems: Int?
        var totalItems: Int?
        var failedItems: Int?
        var thumbnail: String?
    }

    var v: Int
    var seq: Int
    var id: String
    var event: String
    var kind: String
    var timestamp: Double
    var attributes: Attributes?
    var state: State
    var staleDate: Double?

    enum CodingKeys: String, CodingKey {
        case v, seq, id, event, kind, timestamp, attributes
        case state = "content-state"
        case staleDate = "stale-date"
    }

    init(_ line: String) throws { self = try JSONDecoder().decode(Event.self, from: Data(line.utf8)) }

    /// Every line of an output.
    static func all(_ text: String) throws -> [Event] {
        try text.split(separator: "\n").map { try Event(String($0)) }
    }
}

import ArgumentParser
import Rushes

/// How players turn a movie: 0, 90, 180 or 270 degrees clockwise, or as the machine is held.
enum RotationArgument: ExpressibleByArgument, Equatable {
    case degrees(MovieOrientation.Rotation)
    case automatic

    init?(argument: String) {
        if argument == "auto" {
            self = .automatic
        } else if let rotation = Int(argument).flatMap({ MovieOrientation.Rotation(rawValue: $0) }) {
            self = .degrees(rotation)
        } else {
            return nil
        }
    }

    /// What it is before anything was measured.
    var rotation: MovieOrientation.Rotation { if case .degrees(let rotation) = self { rotation } else { .none } }

    var defaultValueDescription: String {
        switch self {
        case .degrees(let rotation): "\(rotation.rawValue)"
        case .automatic: "auto"
        }
    }

    static let allValueStrings = MovieOrientation.Rotation.allCases.map { "\($0.rawValue)" } + ["auto"]
}

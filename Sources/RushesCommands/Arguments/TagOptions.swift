import ArgumentParser

/// What is written into the movie about itself.
struct TagOptions: ParsableArguments {
    @Option(help: "The movie's title.") var title: String?
    @Option(help: "Who made what is seen or heard.") var artist: String?
    @Option(help: "A remark.") var comment: String?
    @Option(help: ArgumentHelp("Whose it is, such as 2026 Ann Lee.", valueName: "text")) var copyright: String?
    @Option(help: ArgumentHelp("Where it was made, by ISO 6709, such as +48.8577+002.295/.", valueName: "iso6709"))
    var location: String?
    @Option(help: "Who made the camera.") var make: String?
    @Option(help: "Which camera it was.") var model: String?
    @Option(
        help: ArgumentHelp(
            "When it was made, by ISO 8601, such as 2026-11-21T14:03:22+01:00.", valueName: "date"))
    var date: String?
}

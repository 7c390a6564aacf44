import RushesCommands

@main
enum Entry {
    static func main() async { await RushesCommand.run() }
}

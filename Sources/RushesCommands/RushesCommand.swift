public struct RushesCommand { public static func main() async {} }

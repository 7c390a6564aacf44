import CMalloc
import Foundation
import RushesCommands

@main
enum Entry {
    static func main() async {
        // glibc gives nearly each thread a heap of its own, up to eight a core, and pipelines and encoders come and go with
        // theirs: a batch held 550 MB where one heap a core holds 340 MB in the same time. Fewer cost time.
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
        await RushesCommand.run()
    }
}

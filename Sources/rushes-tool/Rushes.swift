import CMalloc
import Foundation
import RushesCommands

@main
enum Entry {
    static func main() async {
        // glibc gives nearly each thread a heap of its own, up to eight a core, and pipelines and encoders come and go with
        // theirs. Sixty clips, two at a time on two cores, hold 550 MB with that, 300 MB with a heap a core and 240 MB with
        // half as many, in the same time. Giving large blocks back at once (M_MMAP_THRESHOLD) holds 185 MB, but costs 10 %.
        mallopt(M_ARENA_MAX, Int32(clamping: max(1, ProcessInfo.processInfo.activeProcessorCount / 2)))
        // Swift's tasks share threads that are not there yet: without any, nothing would ever be told.
        RushesCommand.requireThreads()
        await RushesCommand.run()
    }
}

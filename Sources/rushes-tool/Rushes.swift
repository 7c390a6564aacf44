import CMalloc
import Foundation
import RushesCommands

@main
enum Entry {
    static func main() async {
        // glibc gives nearly each thread a heap of its own, up to eight a core, and pipelines and encoders come and go with
        // theirs: a batch held 550 MB where one heap a core holds 340 MB in the same time. Fewer cost time.
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
        // Left to itself it also keeps ever larger blocks in its heaps, which encoders that come and go leave full of holes:
        // sixty clips, two at a time, held 290 MB and hold 210 MB in the same time. Fewer are given back for less.
        mallopt(M_MMAP_THRESHOLD, 512 << 10)
        await RushesCommand.run()
    }
}

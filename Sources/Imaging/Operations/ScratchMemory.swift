/// Memory that grows as it is asked for more, and is used again and again: frames follow each other in the same sizes.
final class ScratchMemory {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0

    deinit { memory?.deallocate() }

    /// At least so many bytes, at a multiple of 64; what was there before may be gone. Good until the next call.
    func bytes(_ count: Int) -> UnsafeMutableRawPointer {
        if let memory, count <= capacity { return memory }
        memory?.deallocate()
        capacity = max(count, 64)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
        memory = grown
        return grown
    }
}

public import Synchronization

extension MediaTime: AtomicRepresentable {
    public typealias AtomicRepresentation = Int64.AtomicRepresentation

    @inlinable public static func encodeAtomicRepresentation(_ time: consuming Self) -> AtomicRepresentation {
        Int64.encodeAtomicRepresentation(time.nanoseconds)
    }

    @inlinable public static func decodeAtomicRepresentation(_ storage: consuming AtomicRepresentation) -> Self {
        Self(nanoseconds: Int64.decodeAtomicRepresentation(storage))
    }
}

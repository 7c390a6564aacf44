/// The cores that encoders can be given.
package struct MachineCores: Sendable, Equatable {
    /// How many there are.
    package var count: Int
    /// How many of them others leave free.
    package var free: Double
    /// How fast one is beside the one of the encoder tables' costs; 1 is as fast.
    package var speed: Double

    /// The properties of these names say what each is; without `free` all are.
    package init(count: Int, free: Double? = nil, speed: Double = 1) {
        (self.count, self.free, self.speed) = (count, min(Double(count), free ?? Double(count)), speed)
    }

    /// This machine's, as others use them just now.
    package static var now: Self {
        Self(count: VideoRequest.availableCores, free: ProcessorWatch.shared.freeCores, speed: MachineSpeed.relative)
    }

    /// How many this machine has, and how many of them others leave free just now; `nil` where that is not known.
    package static var inUse: (count: Int, free: Double)? {
        ProcessorWatch.shared.freeCores.map { (VideoRequest.availableCores, $0) }
    }

    /// This machine's, whoever else uses them.
    package static var all: Self { Self(count: VideoRequest.availableCores, speed: MachineSpeed.relative) }
}

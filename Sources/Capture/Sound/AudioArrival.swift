import MediaTypes

/// Samples that have come: interleaved 32-bit floats, with the running time of the first.
struct AudioArrival: Sendable {
    var samples: [Float]
    var time: MediaTime
    /// Whether another device than before has made them, whose clock is another.
    var isOtherDevice = false
}

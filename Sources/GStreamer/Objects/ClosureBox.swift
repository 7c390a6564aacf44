/// Carries a Swift closure through a C callback's user data; the C side owns it until its destroy notify runs.
final class ClosureBox<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }

    /// The box as user data, holding one reference that ``releaseClosureBox`` gives back.
    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func body(_ data: UnsafeMutableRawPointer?) -> Body? {
        data.map { Unmanaged<ClosureBox<Body>>.fromOpaque($0).takeUnretainedValue().body }
    }
}

/// The destroy notify for every ``ClosureBox``, whatever it holds.
let releaseClosureBox: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

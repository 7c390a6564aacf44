extension UInt64 {
    /// This number of ticks of `timescale` in ticks of `other`, rounded up: an edit never cuts off what it is for.
    ///
    /// - Throws: `unsupported` where the result does not fit 64 bits.
    func rescaled(from timescale: UInt32, to other: UInt32) throws(MovieFileError) -> UInt64 {
        let product = multipliedFullWidth(by: UInt64(other))
        let divisor = UInt64(timescale)
        guard divisor > 0, product.high < divisor else {
            throw .unsupported(reason: "a time of \(self) ticks is too long")
        }
        let (quotient, remainder) = divisor.dividingFullWidth(product)
        guard remainder > 0 else { return quotient }
        guard quotient < .max else { throw .unsupported(reason: "a time of \(self) ticks is too long") }
        return quotient + 1
    }
}

/// Where the packets of a transport stream lie in a file (ISO/IEC 13818-1, 2.4.3.2).
enum TransportPackets {
    /// Cameras and discs put four bytes before each packet, broadcasters sixteen of parity behind.
    ///
    /// - Returns: where the first packet begins, and how far it is from one to the next: where four follow each other somewhere in
    ///   the first bytes; nil for what is no transport stream.
    static func first(in bytes: [UInt8]) -> (start: Int, length: Int)? {
        // At least three are to be there, or any file could end in one.
        let end = max(0, min(bytes.count - 2 * 204, searched))
        // First where they should be: what cameras put before a packet may look like the beginning of one.
        let usual = [(0, 188), (4, 192), (0, 204)].filter { $0.0 < end }
        if let found = usual.first(where: { isPacket(bytes, $0.0, $0.1, of: 4) }) { return found }
        for start in 0..<end where bytes[start] == TransportPacket.synchronisation {
            if let length = [188, 192, 204].first(where: { isPacket(bytes, start, $0, of: 4) }) {
                return (start, length)
            }
        }
        return nil
    }

    /// Whether packets follow each other from there on; at the file's end there may be fewer.
    private static func isPacket(_ bytes: [UInt8], _ start: Int, _ length: Int, of count: Int) -> Bool {
        (0..<count).allSatisfy { packet in
            let place = start + packet * length
            return place >= bytes.count ? packet > 0 : bytes[place] == TransportPacket.synchronisation
        }
    }

    /// How far the first packet is looked for.
    static let searched = 64 << 10
}

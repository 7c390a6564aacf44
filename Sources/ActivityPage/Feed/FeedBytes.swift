import FlyingSocks
import LiveActivity

/// One page's event stream: what is known, then what comes, until the connection or the server ends.
struct FeedBytes: AsyncBufferedSequence {
    typealias Element = UInt8

    let feed: ActivityFeed
    let seat: ReaderSeat
    /// The first bytes, before any event.
    let opening: [UInt8]
    /// The last entry that the reader has; nil: none.
    let after: Int?

    func makeAsyncIterator() -> Iterator { Iterator(feed: feed, seat: seat, opening: opening, after: after) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        private let feed: ActivityFeed
        private let seat: ReaderSeat
        private var opening: [UInt8]?
        private var number: Int?
        private var rest: ArraySlice<UInt8> = []

        init(feed: ActivityFeed, seat: ReaderSeat, opening: [UInt8], after: Int?) {
            self.feed = feed
            self.seat = seat
            self.opening = opening
            number = after
        }

        mutating func next() async throws -> UInt8? {
            if rest.isEmpty { rest = try await nextBuffer(suggested: 1)?[...] ?? [] }
            return rest.popFirst()
        }

        /// Always all that there is: one write brings a reader up to date.
        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if let opening {
                self.opening = nil
                let known = feed.read(after: number)
                number = known.number
                return opening + known.bytes
            }
            while true {
                let number = number ?? 0
                switch await feed.wait(after: number) {
                case .cancelled: return nil
                case .keepAlive: return EventFrame.keepAlive
                case .news:
                    let chunk = feed.read(after: number)
                    self.number = chunk.number
                    if !chunk.bytes.isEmpty { return chunk.bytes }
                }
            }
        }
    }
}

import Errors
import Foundation
import GStreamer
package import MovieFiles
import Synchronization
import SystemPackage
import Threads

extension MovieWriter {
    /// How long a pipeline gets to stop. One that hangs in an encoder is left to a thread of its own.
    static let timeout = Duration.milliseconds(500)
    /// How long nothing may move of what is past the fault of a file that cannot be written.
    private static let rest = Duration.seconds(1)
    /// The same of what is past an encoder that failed, and of what waited for a track that hangs: all of a take, where audio gave
    /// nothing from its beginning. What is not written within it is lost, and a machine that encodes several movies leaves a thread
    /// without its turn for seconds.
    private static let endTimeout = Duration.seconds(10)

    /// Waits for what has been handed in to be written, then completes the file and gives it its name.
    ///
    /// - Parameters:
    ///   - limit: how long the encoders may take to hand out what they hold. After that the file is completed with what
    ///     is there.
    ///   - chapters: places named while the movie was made; QuickTime and MP4 files keep them.
    ///   - progressCounter: for what need not end soon: a number that changes while the encoders hand something out, and then the
    ///     time begins anew; `nil` ends the waiting.
    /// - Throws: ``RushesError`` or ``MovieFileError`` if no playable file could be left.
    package func finish(
        within limit: Duration, chapters: [MovieInfo.Chapter] = [],
        progressCounter: @escaping @Sendable () -> Int? = { 0 }
    ) async throws -> FinishedFile {
        // Some muxers take an end without a beginning for a fault, so they are not asked.
        guard hasData.load(ordering: .relaxed), plan.isDiscarded || sequence?.last != nil else {
            await cancel()
            throw failure ?? nothingRecorded
        }
        endVideo()
        endAudio()
        let unwanted = sequence?.close(reached: MediaTime(nanoseconds: reached.load(ordering: .relaxed)))
        var muxer = sequence?.last
        let failures = endAtFailures()
        func flush(_ ended: AsyncSignal) async -> Bool {
            await ended.wait(whileStillFor: limit) { [history] in
                progressCounter().map { $0 + (history?.handedOver ?? 0) }
            }
        }
        var isFlushed = await flush(muxer?.ended ?? discarded)
        await unwanted?.discard()
        await sequence?.close()?.discard()
        // Its key frame was still in the encoder. A file that hangs keeps the next one from nothing.
        if let last = sequence?.last, last !== muxer {
            muxer = last
            isFlushed = await flush(last.ended)
        }
        for task in failures { task.cancel() }
        // An encoder that failed may not have told its end within the limit either; a file that failed takes nothing any more.
        if !isFlushed, sequence?.all.allSatisfy({ $0.pipeline.bus.failure == nil && $0.file.failure == nil }) == true {
            await endFiles()
        }
        let failure = self.failure
        // One that failed or hangs may still write: it is stopped before the index is made. Else the index goes first.
        let isWhole = isFlushed && failure == nil
        if !isWhole { await stop(within: Self.timeout) }
        // A track came to no end in the file before it.
        if let (file, end) = sequence?.abandonCurrent() { parts.complete(file, before: end, isStopped: true) }
        let outcome = await Self.result {
            let isEnded = isWhole || (failure == nil && muxer?.ended.isFired == true)
            return try await muxer?.complete(chapters: chapters, isWhole: isEnded, isLive: isLive)
                ?? FinishedFile(path: "", size: 0, isComplete: true)
        }
        if isWhole { await stop(within: stopTimeout) }
        // What failed or hangs tells the others nothing any more.
        for index in audio.indices { sharedAudio.end(index) }
        await parts.finish()
        do {
            var finished = try outcome.get()
            if !isFlushed, failure == nil {
                finished.problem = finished.problem ?? "The encoder did not finish within \(limit.secondsText) seconds."
            }
            finished.nameMissingTracks(of: plan)
            return finished
        } catch let error as RushesError where error.code == .nothingRecorded {
            // Why there is nothing says more than that there is nothing.
            throw isFull ? nothingFits : failure ?? error
        }
    }

    /// Ends the wait for the files' ends where a pipeline fails: they might not come.
    private func endAtFailures() -> [Task<Void, Never>] {
        let files = sequence?.all.map(\.pipeline) ?? []
        return files.map { file in onError(of: file) { [self] in await fireEnds(after: Self.rest) } }
            + encoders.map(\.pipeline).map { encoder in
                onError(of: encoder) { [self] in
                    await fireEnds(after: Self.endTimeout) { await self.endFiles() }
                }
            }
    }

    /// - Parameter limit: how long nothing may move: what is past the fault may still reach the files.
    private func fireEnds(after limit: Duration, _ last: () async -> Void = {}) async {
        let ended = sequence?.last?.ended ?? discarded
        if await !ended.wait(whileStillFor: limit, { [self] in Int(bytesWritten) + (history?.handedOver ?? 0) }) {
            await last()
        }
        for ended in sequence?.all.map(\.ended) ?? [discarded] { ended.fire() }
    }

    private func onError(of pipeline: Pipeline, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let messages = pipeline.bus.messages()
        return Task {
            for await message in messages {
                guard case .error = message.content else { continue }
                await body()
            }
        }
    }

    /// What waits for a track that hangs or failed is written without that one.
    private func endFiles() async {
        let files = sequence?.all ?? []
        for file in files { file.endAll() }
        for file in files { await file.waitForEnd(within: Self.endTimeout) }
    }

    /// Looks once more where the movie is, as its end is about to be told: others may have given it another name, or deleted it.
    ///
    /// - Returns: `nil` where it is as ``finish(within:chapters:progressCounter:)`` said.
    /// - Throws: ``RushesError`` if it is gone.
    package func settle() async throws -> SettledFile? { try await sequence?.last?.settle() }

    private static func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

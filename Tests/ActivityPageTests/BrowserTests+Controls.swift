import Foundation
import LiveActivity
import TestSupport
import Testing
import Threads

@testable import ActivityPage

/// What a person asks of the page.
extension BrowserTests {
    @Test func `buttons ask, and a refusal is shown`() async throws {
        let page = try await RunningPage(refusesToPause: true)
        page.feed.publish(Export("one").start())
        let browser = try BrowserPage()
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelector('.activity .pause') != null")
        _ = try await browser.evaluate("document.querySelector('.pause').click()")
        try await browser.waitUntil("document.querySelector('.answer').textContent == 'It cannot be paused.'")
        // What throws the work away is asked for twice.
        // In one go: the question goes away by itself after some seconds, and a busy machine takes longer from one call to the next.
        let twice = """
            (button => { button.click(); const question = button.textContent; button.click(); return question })(
                document.querySelector('.cancel'))
            """
        #expect(try await browser.evaluate(twice) == "Discard it?")
        // It cannot be pressed again before there is an answer.
        try await browser.waitUntil("!document.querySelector('.cancel').disabled")
        #expect(try await browser.evaluate("document.querySelector('.answer').textContent") == "")
        #expect(page.wishes.withLock { $0 } == ["pause one", "cancel one"])
        await page.server.stop()
    }

    @Test func `on a phone Stop is there without a tap on the pill, and on a wide screen Cancel lies apart from it`()
        async throws
    {
        let page = try await RunningPage()
        let scene = try await Scene()
        for event in [scene.batch.start(), scene.batch(47, frame: 2)] + scene.others { page.feed.publish(event) }
        let browser = try BrowserPage()
        try await browser.resize(width: 390, height: 844)
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelector('#activity-rec .quick')?.checkVisibility()")
        // An export takes no stop.
        #expect(
            try await browser.evaluate("document.querySelector('#activity-batch .quick').checkVisibility()") == "false")
        _ = try await browser.evaluate("document.querySelector('#activity-rec .quick').click()")
        try await browser.waitUntil("!document.querySelector('#activity-rec .quick').disabled")
        #expect(page.wishes.withLock { $0 } == ["stop rec"])
        try await browser.resize(width: 1280, height: 800)
        let gap = """
            (() => { const [pause, cancel] = ['pause', 'cancel'].map(name => document.querySelector(`#activity-batch .${name}`).getBoundingClientRect());
            return cancel.left - pause.right > 60; })()
            """
        #expect(try await browser.evaluate(gap) == "true")
        await page.server.stop()
    }

    @Test func `of Mute and Unmute there is the one that changes something`() async throws {
        let page = try await RunningPage()
        let recording = Export("microphone", title: "voice.m4a", kind: .recording)
        page.feed.publish(recording.start())
        let browser = try BrowserPage()
        try await browser.open(page.tokenLink)
        for muted in [nil, true, nil] as [Bool?] {
            page.feed.publish(recording.update(0) { $0.muted = muted })
            let (there, not) = muted == true ? ("unmute", "mute") : ("mute", "unmute")
            try await browser.waitUntil("document.querySelector('.controls .\(there)') != null")
            #expect(try await browser.evaluate("document.querySelector('.controls .\(not)') == null") == "true")
            #expect(
                try await browser.evaluate("document.querySelector('.facts').textContent.includes('Muted')")
                    == "\(muted == true)")
        }
        _ = try await browser.evaluate("document.querySelector('.mute').click()")
        try await browser.waitUntil("!document.querySelector('.mute').disabled")
        #expect(page.wishes.withLock { $0 } == ["mute microphone"])
        await page.server.stop()
    }

    @Test func `what has failed can be mended, and the answer is shown`() async throws {
        let asked = Locked<[String]>([])
        let remedies = PageRemedies(
            offers: { event in event.contentState.phase == .failed ? [.recover, .again] : [] },
            apply: { event, remedy in
                asked.withLock { $0.append("\(remedy.rawValue) \(event.id)") }
                guard remedy == .recover else { throw RunningPage.Refused() }
                return "Recovered 0:02.0."
            })
        let page = try await RunningPage(remedies: remedies)
        let (killed, done) = (Export("killed"), Export("done"))
        for event in [killed.start(), done.start(), killed.end(.failed), done.end()] { page.feed.publish(event) }
        let browser = try BrowserPage()
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelector('#activity-killed .recover') != null")
        #expect(
            try await browser.evaluate("document.querySelector('#activity-killed .controls').textContent")
                == "RecoverTry again")
        #expect(try await browser.evaluate("document.querySelector('#activity-done .controls').children.length") == "0")
        _ = try await browser.evaluate("document.querySelector('.again').click()")
        try await browser.waitUntil("document.querySelector('.answer.refusal')?.textContent == 'It cannot be paused.'")
        _ = try await browser.evaluate("document.querySelector('.recover').click()")
        try await browser.waitUntil(
            "document.querySelector('#activity-killed .answer:not(.refusal)')?.textContent == 'Recovered 0:02.0.'")
        #expect(asked.withLock { $0 } == ["again killed", "recover killed"])
        // What was recovered has another end.
        page.feed.publish(killed.end())
        try await browser.waitUntil("document.querySelector('#activity-killed').dataset.phase == 'finished'")
        for path in ["recover", "again"] {
            let answer = try await page.client.ask("POST", "/activities/killed/\(path)")
            #expect(answer.status == 403, "without the token")
        }
        await page.server.stop()
    }

    @Test func `what has ended can be dismissed, one by one and all at once, and stays away after a reload`()
        async throws
    {
        let page = try await RunningPage()
        let exports = ["a", "b", "c", "d"].map { Export($0) }
        for export in exports { page.feed.publish(export.start()) }
        for export in exports.dropLast() { page.feed.publish(export.end()) }
        let browser = try BrowserPage()
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelectorAll('.dismiss:not([hidden])').length == 3")
        _ = try await browser.evaluate("document.querySelector('#activity-b .dismiss').click()")
        let shown = "[...document.querySelectorAll('.activity')].map(card => card.id.slice(9)).sort().join('')"
        #expect(try await browser.evaluate(shown) == "acd")
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("\(shown) == 'acd'")
        _ = try await browser.evaluate("document.getElementById('clear').click()")
        #expect(try await browser.evaluate(shown) == "d")
        #expect(try await browser.evaluate("document.getElementById('clear').checkVisibility()") == "false")
        await page.server.stop()
    }
}

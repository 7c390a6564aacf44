import Foundation
import LiveActivity
import TestSupport
import Testing
import Threads

@testable import ActivityPage

/// The page as a person sees it, in a real browser. Frames of it stay in `.build/screenshots`.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "chromium", package: "chromium")) struct BrowserTests {
    /// How much of the ring is drawn, in hundredths.
    static let ring =
        "Number(getComputedStyle(document.querySelector('#activity-batch .arc')).strokeDasharray.match(/[0-9.]+/)[0])"
    static let figure = "(document.querySelector('#activity-batch .subtitle')?.textContent ?? '')"

    @Test func `the ring moves, the frame changes, and the end shows the result`() async throws {
        let scene = try await Scene()
        let page = try await RunningPage()
        let browser = try BrowserPage()
        try await browser.resize(width: 390, height: 844)
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("!document.getElementById('nothing').hidden")
        try await browser.screenshot("390-nothing")

        page.feed.publish(scene.batch.start())
        page.feed.publish(scene.batch(47, frame: 2))
        try await browser.waitUntil("\(Self.figure) == 'Exporting 47/200'")
        // The ring arrives with a quarter of a second's ease.
        try await browser.waitUntil("\(Self.ring) == 23.5")
        try await browser.waitUntil("document.querySelector('#activity-batch .thumbnail').naturalWidth == 320")
        let frame = try await browser.evaluate("document.querySelector('#activity-batch .thumbnail').src")

        page.feed.publish(scene.batch(120, frame: 5))
        try await browser.waitUntil("\(Self.ring) == 60")
        try await browser.waitUntil("document.querySelector('#activity-batch .thumbnail').src != '\(frame ?? "")'")
        #expect(try await browser.evaluate("document.title") == "Exporting 120/200 – Holiday, all of it – Rushes")

        let output = scene.folder.file("beach.mp4")
        page.feed.publish(scene.batch.end { $0.output = output })
        try await browser.waitUntil("document.querySelector('#activity-batch').dataset.phase == 'finished'")
        try await browser.waitUntil("\(Self.ring) == 100")
        #expect(try await browser.evaluate("document.querySelector('#activity-batch .open').hidden") == "false")
        #expect(
            try await browser.evaluate("document.querySelector('#activity-batch .controls').children.length") == "0")
        let link = "document.querySelector('#activity-batch .open').href"
        #expect(try await browser.evaluate("fetch(\(link)).then(answer => answer.text())") == "movie")
        await page.server.stop()
    }

    @Test func `a reload and a dropped connection go on without a gap`() async throws {
        let page = try await RunningPage()
        let browser = try BrowserPage()
        let export = Export("batch")
        page.feed.publish(export.start())
        try await browser.open(page.link)
        // Counts what arrives beside the page's own stream: a gap or a repetition would show.
        _ = try await browser.evaluate(
            """
            window.seen = []; window.source = new EventSource('/events');
            for (const kind of ['start', 'update', 'end'])
              source.addEventListener(kind, message => seen.push(JSON.parse(message.data).seq));
            new Promise(resolve => source.addEventListener('hello', () => resolve(true)))
            """)
        // Who knows nothing gets the start and the latest alone.
        try await browser.waitUntil("seen.at(-1) == 1")
        for done in 1...9 { page.feed.publish(export.update(done)) }
        try await browser.waitUntil("seen.at(-1) == 10 && \(Self.figure).endsWith('9/200')")
        let address = await page.server.address
        await page.server.stop()
        try await browser.waitUntil("document.body.classList.contains('disconnected')")
        try await browser.screenshot("800-disconnected")
        for done in 10...29 { page.feed.publish(export.update(done)) }
        let again = try await RunningPage(feed: page.feed, address: "\(address)")
        try await browser.waitUntil("\(Self.figure).endsWith('29/200')")
        try await browser.waitUntil("!document.body.classList.contains('disconnected')")
        try await browser.waitUntil("seen.at(-1) == 30")
        #expect(try await browser.evaluate("seen.join()") == (1...30).map(String.init).joined(separator: ","))

        try await browser.open(page.link)
        try await browser.waitUntil("\(Self.figure).endsWith('29/200')")
        again.feed.publish(export.update(30))
        try await browser.waitUntil("\(Self.figure).endsWith('30/200')")
        await again.server.stop()
    }

    @Test(arguments: [(320, 568), (390, 844), (1280, 800)])
    func `everything fits its width`(width: Int, height: Int) async throws {
        let scene = try await Scene()
        let page = try await RunningPage()
        for event in [scene.batch.start(), scene.batch(47, frame: 2)] + scene.others { page.feed.publish(event) }
        let browser = try BrowserPage()
        try await browser.resize(width: width, height: height, scale: 2)
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelectorAll('.activity').length == 5")
        try await browser.waitUntil("document.querySelector('#activity-batch .thumbnail').naturalWidth == 320")
        try await browser.waitUntil("\(Self.ring) == 23.5")
        try await browser.screenshot("\(width)-busy")
        if width < 640 {
            _ = try await browser.evaluate("document.querySelector('#activity-batch .summary').click()")
            #expect(try await browser.evaluate("location.pathname") == "/activities/batch")
            try await browser.screenshot("\(width)-open")
        }
        // Nothing sticks out to the right, and a finger finds every button.
        #expect(try await browser.evaluate("document.documentElement.scrollWidth") == "\(width)")
        let small = """
            [...document.querySelectorAll('button')].filter(button => button.offsetParent && button.offsetHeight < 44).length
            """
        #expect(try await browser.evaluate(small) == "0")
        await page.server.stop()
    }

    @Test func `a tap opens a pill, and its link opens it again`() async throws {
        let scene = try await Scene()
        let page = try await RunningPage()
        for event in [scene.batch.start(), scene.batch(47, frame: 2)] + scene.others { page.feed.publish(event) }
        let browser = try BrowserPage()
        try await browser.resize(width: 390, height: 844)
        try await browser.open("\(page.link)activities/rec")
        try await browser.waitUntil("document.querySelector('#activity-rec.expanded .meter')?.children.length == 2")
        #expect(try await browser.evaluate("document.querySelectorAll('.expanded').length") == "1")
        _ = try await browser.evaluate("document.querySelector('#activity-batch .summary').click()")
        #expect(try await browser.evaluate("document.querySelector('.expanded').id") == "activity-batch")
        #expect(try await browser.evaluate("location.pathname") == "/activities/batch")
        _ = try await browser.evaluate("document.querySelector('#activity-batch .summary').click()")
        #expect(try await browser.evaluate("location.pathname") == "/")
        await page.server.stop()
    }

    @Test func `a batch's files stand under it, and what follows begins another row`() async throws {
        let page = try await RunningPage()
        let (batch, other) = (Export("batch"), Export("other", kind: .transcode))
        page.feed.publish(batch.start { _ in })
        for id in ["one", "two"] { page.feed.publish(Export(id, kind: .transcode, parent: "batch").start()) }
        page.feed.publish(other.start())
        let browser = try BrowserPage()
        try await browser.resize(width: 1280, height: 800)
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelectorAll('.activity').length == 4")
        let places = """
            (() => { const at = id => document.getElementById('activity-' + id).getBoundingClientRect();
            const [batch, one, two, other] = ['batch', 'one', 'two', 'other'].map(at);
            return [batch.width > 1000, one.top >= batch.bottom, one.top == two.top, other.top >= one.bottom, other.left == batch.left].join(); })()
            """
        #expect(try await browser.evaluate(places) == "true,true,true,true,true")
        await page.server.stop()
    }

    @Test func `audio alone has a symbol of its own, and who wants a light page gets one`() async throws {
        let page = try await RunningPage()
        let (film, voice) = (Export("film", kind: .recording), Export("voice", title: "voice.mkv", kind: .recording))
        page.feed.publish(film.start { ($0.framesWritten, $0.mediaTime) = (0, 0) })
        page.feed.publish(voice.start { ($0.framesWritten, $0.mediaTime) = (0, 2) })
        let browser = try BrowserPage()
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelectorAll('.activity').length == 2")
        let symbols = """
            ['film', 'voice'].map(id => ['audio', 'video'].filter(
            name => document.querySelector(`#activity-${id} .glyph .${name}`).checkVisibility())).join(' ')
            """
        #expect(try await browser.evaluate(symbols) == "video audio")
        let color = "getComputedStyle(document.body).backgroundColor"
        try await browser.setMedia(["prefers-color-scheme": "dark"])
        #expect(try await browser.evaluate(color) == "rgb(0, 0, 0)")
        try await browser.setMedia(["prefers-color-scheme": "light"])
        #expect(try await browser.evaluate(color) == "rgb(245, 245, 247)")
        await page.server.stop()
    }

    @Test func `what was encoded is no warning, why something failed is, and no time is told twice`() async throws {
        let page = try await RunningPage()
        let (done, failed) = (Export("done", kind: .transcode), Export("failed", kind: .transcode))
        let running = Export("running", kind: .transcode)
        for export in [done, failed, running] { page.feed.publish(export.start()) }
        page.feed.publish(done.end { ($0.message, $0.mediaTime) = ("H.264 with x264enc", 2.97) })
        page.feed.publish(failed.end(.failed) { ($0.message, $0.reason) = ("The disk is full", "the disk is full") })
        page.feed.publish(running.update(100) { ($0.remaining, $0.mediaTime) = (31.6, 31.2) })
        let browser = try BrowserPage()
        try await browser.open(page.tokenLink)
        try await browser.waitUntil(
            "document.querySelectorAll('[data-phase=failed], [data-phase=finished]').length == 2")
        let words = "[...document.querySelectorAll('.message.warning')].map(part => part.textContent).join('|')"
        #expect(try await browser.evaluate(words) == "The disk is full.")
        let facts = "document.querySelector('#activity-done .facts').textContent"
        #expect(try await browser.evaluate(facts) == "Length3.0 s")
        let times =
            "['.figure', '.facts'].map(part => document.querySelector('#activity-running ' + part).textContent).join('|')"
        #expect(try await browser.evaluate(times) == "−0:32|Length0:31")
        await page.server.stop()
    }

    @Test func `a file that the title names already is named again only when it is there`() async throws {
        let page = try await RunningPage()
        let plain = Export("plain", title: "take.mov", output: "/movies/take.mov")
        let titled = Export("titled", title: "Interview", output: "/movies/talk.mov")
        for export in [plain, titled] { page.feed.publish(export.start()) }
        page.feed.publish(plain.update(1) { ($0.speed, $0.fraction) = (0.001, 0.01) })
        let browser = try BrowserPage()
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelectorAll('.activity').length == 2")
        let shown =
            "[...document.querySelectorAll('.result-words')].filter(part => part.checkVisibility()).map(part => part.textContent).join()"
        #expect(try await browser.evaluate(shown) == "talk.mov")
        // Nothing has come yet: a speed of 0.00 says nothing.
        #expect(
            try await browser.evaluate("document.querySelector('#activity-plain .facts').textContent.includes('Speed')")
                == "false")
        page.feed.publish(plain.end())
        try await browser.waitUntil("\(shown) == 'talk.mov,take.mov'")
        await page.server.stop()
    }

    @Test func `without the token the page only looks, and says what is missing`() async throws {
        let scene = try await Scene()
        let page = try await RunningPage()
        for event in [scene.batch.start(), scene.batch(47, frame: 2)] + scene.others { page.feed.publish(event) }
        let browser = try BrowserPage()
        try await browser.open(page.link)
        try await browser.waitUntil("document.querySelectorAll('.activity').length == 5")
        #expect(try await browser.evaluate("document.getElementById('look-only').checkVisibility()") == "true")
        #expect(try await browser.evaluate("document.querySelectorAll('.controls button').length") == "0")
        let images = "performance.getEntriesByType('resource').filter(entry => entry.name.includes('thumbnail')).length"
        #expect(try await browser.evaluate(images) == "0")
        try await browser.open(page.tokenLink)
        try await browser.waitUntil("document.querySelector('.activity .pause') != null")
        #expect(try await browser.evaluate("document.getElementById('look-only').checkVisibility()") == "false")
        await page.server.stop()
    }

    @Test func `what is stale looks stale, and what is dismissed goes`() async throws {
        let page = try await RunningPage()
        let (stuck, brief) = (Export("stuck"), Export("brief"))
        // A browser that is long in starting would find both stale.
        let browser = try BrowserPage()
        try await browser.open(page.link)
        page.feed.publish(stuck.start())
        page.feed.publish(brief.start())
        try await browser.waitUntil("document.querySelectorAll('.activity:not(.stale)').length == 2")
        page.feed.publish(stuck.update(3, staleIn: 2))
        page.feed.publish(brief.end(dismissed: Date(timeIntervalSinceNow: 15)))
        try await browser.waitUntil("document.querySelector('#activity-brief').dataset.phase == 'finished'")
        try await browser.waitUntil("document.querySelector('#activity-stuck.stale') != null")
        try await browser.waitUntil("document.querySelector('#activity-brief') == null")
        page.feed.publish(stuck.update(4))
        try await browser.waitUntil("document.querySelector('#activity-stuck:not(.stale)') != null")
        await page.server.stop()
    }

    @Test func `a screen reader hears what matters, and who wants no motion sees none`() async throws {
        let page = try await RunningPage()
        let export = Export("one", title: "holiday.mov")
        let browser = try BrowserPage()
        try await browser.setMedia(["prefers-reduced-motion": "reduce"])
        try await browser.resize(width: 390, height: 844)
        try await browser.open(page.link)
        try await browser.waitUntil("!document.getElementById('nothing').hidden")
        page.feed.publish(export.start())
        let news = "document.querySelector('[aria-live=polite]').textContent"
        try await browser.waitUntil("\(news).startsWith('holiday.mov: Exporting')")
        page.feed.publish(export.update(47))
        let bar = "document.querySelector('[role=progressbar]')"
        try await browser.waitUntil("\(bar).getAttribute('aria-valuenow') == '23'")
        #expect(try await browser.evaluate("\(bar).getAttribute('aria-label')") == "holiday.mov")
        #expect(try await browser.evaluate("\(bar).checkVisibility()") == "true")
        #expect(try await browser.evaluate("document.getAnimations().length") == "0")
        page.feed.publish(export.end(.failed))
        try await browser.waitUntil("\(news) == 'holiday.mov: Failed at 100/200'")
        await page.server.stop()
    }

    @Test func `words of others are words, never part of the page`() async throws {
        let page = try await RunningPage()
        let evil = "<img src=x onerror=\"window.isOwned=1\">"
        page.feed.publish(Export("\"><script>window.isOwned=1</script>", title: evil).start { $0.subtitle = evil })
        let browser = try BrowserPage()
        try await browser.open(page.link)
        try await browser.waitUntil("document.querySelector('.title')?.textContent == '\(evil)'")
        #expect(try await browser.evaluate("typeof window.isOwned") == "undefined")
        #expect(try await browser.evaluate("document.querySelectorAll('main img:not(.thumbnail)').length") == "0")
        await page.server.stop()
    }
}

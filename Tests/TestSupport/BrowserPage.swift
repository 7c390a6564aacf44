import Foundation

/// A page in a headless Chromium, to look at and to press buttons on, as a person would.
public final class BrowserPage: Sendable {
    private let browser: RunningCommand

    private struct Answer: Decodable {
        var value: JSONValue?
        var error: String?
    }

    /// Starts a browser of its own; it ends with the last reference to it.
    public init() throws { browser = try RunningCommand(Checkout.script("lib/browse")) }

    deinit { browser.closeInput() }

    /// Goes there and waits until the page is loaded.
    public func open(_ url: String) async throws { _ = try await ask(["open": url]) }

    /// The window's size in pixels as CSS counts them; narrower than 640 it is a phone.
    public func resize(width: Int, height: Int, scale: Int = 1) async throws {
        _ = try await ask(["size": [width, height], "scale": scale])
    }

    /// The value of a JavaScript expression, as text; nil for null and undefined.
    public func evaluate(_ expression: String) async throws -> String? {
        try await ask(["evaluate": expression])?.text
    }

    /// Waits until a JavaScript expression is true.
    public func waitUntil(_ expression: String, seconds: Int = 60) async throws {
        _ = try await ask(["until": expression, "limit": seconds])
    }

    /// Keeps a frame of the page among the tests' artefacts, in `.build/screenshots`.
    public func screenshot(_ name: String) async throws {
        let folder = Checkout.folder.appending(path: ".build/screenshots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try await ask(["screenshot": folder.appending(path: "\(name).png").path])
    }

    /// What the person prefers, `prefers-reduced-motion` say.
    public func setMedia(_ features: [String: String]) async throws { _ = try await ask(["media": features]) }

    private func ask(_ question: [String: Any]) async throws -> JSONValue? {
        let line = try JSONSerialization.data(withJSONObject: question)
        browser.write(String(decoding: line, as: UTF8.self) + "\n")
        for await line in browser.lines {
            let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
            if let error = answer.error { throw PageFailure(description: error) }
            return answer.value
        }
        throw ToolError.failed(try await browser.result(within: .seconds(10)))
    }
}

/// What the page or the browser said.
public struct PageFailure: Error, CustomStringConvertible {
    public let description: String
}

/// A value of JavaScript, for comparing.
private enum JSONValue: Decodable {
    case text(String), number(Double), flag(Bool)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
        case .flag(let flag): String(flag)
        }
    }
}

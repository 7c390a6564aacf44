import FlyingFox
import Foundation

/// Answers, each with the headers that keep other sites out of the page and the page to itself.
enum PageResponse {
    private static let protection: [HTTPHeader: String] = [
        // Everything from here, nothing inline, in nobody's frame.
        HTTPHeader("Content-Security-Policy"):
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
        HTTPHeader("Referrer-Policy"): "no-referrer",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        .cacheControl: "no-store",
    ]

    static func make(
        _ status: HTTPStatusCode, _ contentType: String, _ body: HTTPBodySequence, _ more: [HTTPHeader: String] = [:]
    ) -> HTTPResponse {
        var headers = protection.merging(more) { _, new in new }
        headers[.contentType] = contentType
        return HTTPResponse(statusCode: status, headers: HTTPHeaders(headers), body: body)
    }

    static func file(_ data: Data, _ contentType: String) -> HTTPResponse {
        make(.ok, contentType, HTTPBodySequence(data: data))
    }

    /// One sentence for a person, or for the page to show.
    static func sentence(
        _ status: HTTPStatusCode, _ text: String, _ more: [HTTPHeader: String] = [:]
    ) -> HTTPResponse {
        make(status, "text/plain; charset=utf-8", HTTPBodySequence(data: Data("\(text)\n".utf8)), more)
    }

    static func protected(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        for (header, value) in protection { response.headers[header] = value }
        return response
    }
}

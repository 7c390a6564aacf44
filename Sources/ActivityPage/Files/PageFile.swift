import Foundation

/// A file of the page itself; they are compiled in, so the page is there wherever the program was put.
struct PageFile {
    let data: Data
    let contentType: String

    static let index = PageFile(data: Data(PackageResources.index_html), contentType: "text/html; charset=utf-8")

    /// Under `/page/`.
    static let parts: [String: PageFile] = [
        "page.css": PageFile(data: Data(PackageResources.page_css), contentType: "text/css; charset=utf-8"),
        "icon.svg": PageFile(data: Data(PackageResources.icon_svg), contentType: "image/svg+xml"),
        "page.js": script(PackageResources.page_js),
        "model.js": script(PackageResources.model_js),
        "stream.js": script(PackageResources.stream_js),
        "card.js": script(PackageResources.card_js),
        "controls.js": script(PackageResources.controls_js),
        "words.js": script(PackageResources.words_js),
        "dismissed.js": script(PackageResources.dismissed_js),
    ]

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(data: Data(bytes), contentType: "text/javascript; charset=utf-8")
    }
}

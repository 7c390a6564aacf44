import Foundation
import TestSupport
import Testing

@testable import RushesCommands

@Suite(.timeLimit(.minutes(25)), .turn) struct QRCodeTests {
    @Test(.requires(tool: "zbarimg", package: "zbar-tools"))
    func `a reader finds the link in what stands on the terminal`() async throws {
        let link = "http://192.168.178.123:8090/?token=abcdefghijkmnpqrstuvwxyz23456789"
        let lines = try #require(QRCode(link)).lines
        // It fits a small terminal.
        #expect(lines.count <= 24)
        let rows = lines.flatMap { line -> [String] in
            let blocks = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
            return [
                blocks.map { "█▀".contains($0) ? "1" : "0" }.joined(),
                blocks.map { "█▄".contains($0) ? "1" : "0" }.joined(),
            ]
        }
        let folder = try TemporaryFolder()
        // A portable bitmap, where 1 is black (netpbm's pbm(5)), enlarged as on a screen.
        let bitmap = "P1\n\(rows[0].count) \(rows.count)\n" + rows.joined(separator: "\n") + "\n"
        try bitmap.write(toFile: folder.file("code.pbm"), atomically: true, encoding: .utf8)
        _ = try await Tool.succeed("convert", [folder.file("code.pbm"), "-scale", "800%", folder.file("code.png")])
        let read = try await Tool.succeed("zbarimg", ["--raw", "--quiet", folder.file("code.png")])
        #expect(read.text == link + "\n")
    }

    @Test func `what is too long is none`() {
        #expect(QRCode(String(repeating: "x", count: 3000)) == nil)
    }
}

import Errors
import Foundation
import PipelineTables
import SystemPackage
import TestSupport
import Testing

@testable import Encoding

@Suite struct PipelineFilesTests {
    @Test func `every table and profile of the folder is compiled in as it is`() throws {
        let folder = Checkout.folder.appending(path: "pipelines")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".conf") || $0.hasSuffix(".gep") }
        #expect(names.sorted() == PipelineTables.files.keys.sorted())
        for name in names {
            #expect(try Data(contentsOf: folder.appending(path: name)) == PipelineTables.files[name].map { Data($0) })
        }
    }

    @Test func `a folder that is named comes in their place`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("encoders"), withIntermediateDirectories: true)
        let text = "[codec]\nname=Another\ncaps=video/x-h264\n"
        try text.write(toFile: folder.file("encoders/h264.conf"), atomically: false, encoding: .utf8)
        let files = try PipelineFiles.find(named: folder.path)
        #expect(try files.encoderTable("h264").name == "Another")
        #expect(try PipelineFiles.find(named: nil).encoderTable("h264").name == "H.264")
        #expect(throws: (any Error).self) { try files.encoderTable("hevc") }
    }

    @Test func `a folder that has no tables is named in the error`() {
        let error = #expect(throws: RushesError.self) { try PipelineFiles.find(named: "/nowhere") }
        #expect(error?.code == .noPipelineFiles)
        #expect(error?.description.contains("“/nowhere”") == true)
        #expect(error?.description.contains("RUSHES_PIPELINES") == true)
    }
}

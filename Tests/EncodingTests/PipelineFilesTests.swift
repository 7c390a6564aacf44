import Foundation
import SystemPackage
import Testing

@testable import Encoding

@Suite struct PipelineFilesTests {
    @Test func thisCheckoutsFolderIsFound() throws {
        let files = try PipelineFiles.find()
        #expect(files.encoderTable("h264").string.hasSuffix("pipelines/encoders/h264.conf"))
    }

    @Test func theVariableComesFirstAndTheInstalledFolderSecond() {
        let places = PipelineFiles.places(executable: "/opt/rushes/bin/rushes", environment: "/elsewhere")
        #expect(places.first == "/elsewhere")
        #expect(places.dropFirst().first == "/opt/rushes/share/rushes/pipelines")
    }

    @Test func anInstalledFolderIsFoundBesideTheProgram() throws {
        let root = FilePath(FileManager.default.temporaryDirectory.path).appending("rushes-\(UUID().uuidString)")
        let encoders = root.appending("share/rushes/pipelines/encoders")
        try FileManager.default.createDirectory(atPath: encoders.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root.string) }
        #expect(FileManager.default.createFile(atPath: encoders.appending("h264.conf").string, contents: Data()))
        let places = PipelineFiles.places(executable: root.appending("bin/rushes"), environment: nil)
        #expect(try PipelineFiles.find(in: places).folder == root.appending("share/rushes/pipelines"))
    }

    @Test func theErrorListsEachPlaceTried() {
        let error = #expect(throws: EncodingError.self) { try PipelineFiles.find(in: ["/nowhere/a", "/nowhere/b"]) }
        #expect(error?.code == .noPipelineFiles)
        #expect(error?.description.contains("/nowhere/a, /nowhere/b") == true)
        #expect(error?.description.contains("RUSHES_PIPELINES") == true)
    }
}

package import Errors
import FileSystem
import Foundation
import MovieFiles
package import SystemPackage

/// Items that were handed to a cluster's scheduler as one array job.
package struct BatchSubmission: Codable, Sendable, Hashable {
    /// As the scheduler calls it.
    package var job: String
    /// The item that task 0 is.
    package var offset: Int
    /// How many.
    package var count: Int
    /// Seconds since 1970.
    package var submitted: Double

    package init(job: String, offset: Int, count: Int) {
        (self.job, self.offset, self.count) = (job, offset, count)
        submitted = Date().timeIntervalSince1970
    }
}

/// What a scheduler needs of a batch's folder:
///
///     .rushes-batch/slurm/task.sh     what each task runs
///     .rushes-batch/slurm/JOB.json    a job that items were handed over as
///     .rushes-batch/slurm/JOB_TASK.log
extension BatchFolder {
    private static let slurm = "slurm"

    /// The folder that tasks run in, and write their logs to.
    package var taskFolder: FilePath { path.appending(Self.slurm) }

    /// Writes what each task runs.
    ///
    /// - Throws: ``RushesError`` where it cannot be written.
    package func write(taskScript text: String) throws(RushesError) -> FilePath {
        let name = "task.sh"
        let folder = try existing()
        do throws(Errno) {
            try make(Self.slurm, in: folder)
            guard let component = FilePath.Component(name) else { throw .invalidArgument }
            try self.folder(in: folder).replaceFile(
                component, with: Data(text.utf8), permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw RushesError("\(taskFolder.appending(name).wireText) cannot be written", error)
        }
        return taskFolder.appending(name)
    }

    /// The jobs that items of this batch were handed over as, in order.
    package func submissions() -> [BatchSubmission] {
        guard let folder = try? folder(Self.slurm) else { return [] }
        return folder.names.compactMap { name -> BatchSubmission? in
            guard name.extension == "json" else { return nil }
            return try? AtomicJSONFile.read(name.string, in: folder)
        }.sorted { $0.submitted < $1.submitted }
    }

    /// Writes down that items were handed over.
    ///
    /// - Throws: ``RushesError`` where it cannot be written.
    package func add(_ submission: BatchSubmission) throws(RushesError) {
        let folder = try folder(Self.slurm)
        do throws(Errno) { try AtomicJSONFile.write(submission, to: "\(submission.job).json", in: folder) } catch {
            throw RushesError("\(taskFolder.wireText) cannot be written", error)
        }
    }

    /// Forgets jobs of an earlier plan, whose numbers stand for other items.
    func removeSubmissions() {
        guard let folder = try? folder(Self.slurm) else { return }
        for name in folder.names where name.extension == "json" { folder.removeFile(name) }
    }

    private func folder(in folder: FolderDescriptor) throws(Errno) -> FolderDescriptor {
        let inner = try folder.folder(Self.slurm)
        guard inner.owner == folder.owner else { throw .notPermitted }
        return inner
    }
}

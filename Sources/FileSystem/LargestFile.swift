import CFileSpace
import Foundation
package import SystemPackage

/// How many bytes a file in a folder can have at most, by the shell's limit (`ulimit -f`) or as FAT knows no more; `nil` if nothing is
/// known to limit it. Blocks as long as the disk does.
package func largestFile(in folder: FilePath) -> Int64? {
    var limit = rlimit()
    let isLimited =
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 && limit.rlim_cur < rlim_t(Int64.max)
    let fat: Int64? = folder.withPlatformString { rushes_is_on_fat($0) } != 0 ? (1 << 32) - 1 : nil
    return [isLimited ? Int64(limit.rlim_cur) : nil, fat].compactMap(\.self).min()
}

/// The files of this folder that the library reads, compiled in: they travel with whatever program uses it, wherever that
/// is put. (SwiftPM's `Bundle.module` ends the program where a binary was moved without its resource folder.)
public enum PipelineTables {
    /// Their bytes by the path in this folder. A test sees to it that none is forgotten.
    public static let files: [String: [UInt8]] = [
        "encoders/aac.conf": PackageResources.aac_conf,
        "encoders/alac.conf": PackageResources.alac_conf,
        "encoders/av1.conf": PackageResources.av1_conf,
        "encoders/flac.conf": PackageResources.flac_conf,
        "encoders/h264.conf": PackageResources.h264_conf,
        "encoders/hevc.conf": PackageResources.hevc_conf,
        "encoders/mjpeg.conf": PackageResources.mjpeg_conf,
        "encoders/mp3.conf": PackageResources.mp3_conf,
        "encoders/opus.conf": PackageResources.opus_conf,
        "encoders/pcm.conf": PackageResources.pcm_conf,
        "encoders/prores.conf": PackageResources.prores_conf,
        "encoders/vp9.conf": PackageResources.vp9_conf,
        "encoding-profiles/av1.gep": PackageResources.av1_gep,
        "encoding-profiles/copy.gep": PackageResources.copy_gep,
        "encoding-profiles/gif.gep": PackageResources.gif_gep,
        "encoding-profiles/h264.gep": PackageResources.h264_gep,
        "encoding-profiles/hevc-10bit.gep": PackageResources.hevc_10bit_gep,
        "encoding-profiles/hevc-fast.gep": PackageResources.hevc_fast_gep,
        "encoding-profiles/hevc.gep": PackageResources.hevc_gep,
        "encoding-profiles/prores-422.gep": PackageResources.prores_422_gep,
        "encoding-profiles/prores-4444.gep": PackageResources.prores_4444_gep,
        "encoding-profiles/prores-hq.gep": PackageResources.prores_hq_gep,
        "encoding-profiles/prores-lt.gep": PackageResources.prores_lt_gep,
        "encoding-profiles/prores-proxy.gep": PackageResources.prores_proxy_gep,
        "encoding-profiles/webm.gep": PackageResources.webm_gep,
    ]
}

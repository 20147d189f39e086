package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Files of one daemon.
 *
 * @param root of all of them
 * @param resource whose daemon it is
 */
record MpsPaths(Path root, String resource) {
  /** The former modes; a sign that there is, or was, a daemon. */
  static final String MODES = "compute-modes";

  private static final String PIPE = "CUDA_MPS_PIPE_DIRECTORY";
  private static final String LOG = "CUDA_MPS_LOG_DIRECTORY";

  /** Through it clients and the daemon talk; containers have it too. */
  Path pipe() {
    return folder().resolve("pipe");
  }

  Path log() {
    return folder().resolve("log");
  }

  /** The modes that its GPUs were in before. */
  Path modes() {
    return folder().resolve(MODES);
  }

  /** Written by the daemon. */
  Path processId() {
    return pipe().resolve("nvidia-cuda-mps-control.pid");
  }

  Path folder() {
    return root.resolve(resource);
  }

  /** What the daemon has to know: it sees no GPU that is not its own. */
  Map<String, String> environment(List<GpuUuid> gpus) {
    return Map.of(
        PIPE,
        pipe().toString(),
        LOG,
        log().toString(),
        "CUDA_VISIBLE_DEVICES",
        gpus.stream().map(GpuUuid::value).collect(Collectors.joining(",")));
  }

  /** What the one has to know that talks to it. */
  Map<String, String> environment() {
    return Map.of(PIPE, pipe().toString(), LOG, log().toString());
  }
}

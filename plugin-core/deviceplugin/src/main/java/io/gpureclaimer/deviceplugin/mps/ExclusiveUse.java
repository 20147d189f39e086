package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.ComputeMode;
import io.gpureclaimer.nvml.NvmlResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets GPUs to exclusive process mode, and restores the original mode; the original is recorded
 * first. Confined to one thread.
 */
final class ExclusiveUse {
  private static final Logger log = LoggerFactory.getLogger(ExclusiveUse.class);

  private final ComputeModes modes;
  private final ComputeModeFile memory;

  ExclusiveUse(ComputeModes modes, ComputeModeFile memory) {
    this.modes = modes;
    this.memory = memory;
  }

  /** Takes these GPUs and gives back others; says what stands in the way, if anything. */
  Optional<String> take(List<GpuUuid> gpus) {
    try {
      releaseAllBut(gpus);
      Map<GpuUuid, ComputeMode> original = memory.recall();
      for (GpuUuid gpu : gpus) {
        if (!original.containsKey(gpu)) {
          Optional<String> blocker = note(gpu, original);
          if (blocker.isPresent()) {
            return blocker;
          }
        }
      }
      memory.remember(original);
    } catch (IOException e) {
      return Optional.of(
          "the compute modes of the GPUs cannot be written down, so they are not changed: "
              + e.getMessage());
    }
    return gpus.stream()
        .flatMap(gpu -> set(gpu, ComputeMode.EXCLUSIVE_PROCESS).stream())
        .findFirst();
  }

  /**
   * Takes again what a reset, or a reload of the driver, has set free; reports what prevents it. A
   * GPU that does not answer is not reported here, because its health is reported elsewhere.
   */
  Optional<String> hold(List<GpuUuid> gpus) {
    return gpus.stream().flatMap(gpu -> hold(gpu).stream()).findFirst();
  }

  private Optional<String> hold(GpuUuid gpu) {
    return switch (modes.of(gpu)) {
      case NvmlResult.Value<ComputeMode>(var mode) ->
          switch (mode) {
            case EXCLUSIVE_PROCESS -> Optional.empty();
            case PROHIBITED -> Optional.of(outOfUse(gpu));
            case DEFAULT -> {
              log.warn("{} was in compute mode DEFAULT again; MPS sets it back to exclusive", gpu);
              yield set(gpu, ComputeMode.EXCLUSIVE_PROCESS);
            }
          };
      case NvmlResult.Unsupported<ComputeMode> _, NvmlResult.Failed<ComputeMode> _ ->
          Optional.empty();
    };
  }

  /** Makes all GPUs what they were; says which could not be, and remembers these. */
  List<String> release() {
    try {
      return releaseAllBut(List.of());
    } catch (IOException e) {
      return List.of(
          "the compute modes that GPUs had cannot be read or struck out: " + e.getMessage());
    }
  }

  private List<String> releaseAllBut(List<GpuUuid> kept) throws IOException {
    Map<GpuUuid, ComputeMode> original = memory.recall();
    var left = new LinkedHashMap<GpuUuid, ComputeMode>();
    var problems = new ArrayList<String>();
    original.forEach(
        (gpu, mode) -> {
          Optional<String> problem = kept.contains(gpu) ? Optional.empty() : set(gpu, mode);
          problem.ifPresent(problems::add);
          if (kept.contains(gpu) || problem.isPresent()) {
            left.put(gpu, mode);
          }
        });
    if (!left.equals(original)) {
      memory.remember(left);
    }
    return problems;
  }

  /** The GPUs that are not what they were. */
  List<GpuUuid> taken() throws IOException {
    return List.copyOf(memory.recall().keySet());
  }

  private Optional<String> note(GpuUuid gpu, Map<GpuUuid, ComputeMode> into) {
    return switch (modes.of(gpu)) {
      case NvmlResult.Value<ComputeMode>(var mode) when mode == ComputeMode.PROHIBITED ->
          Optional.of(outOfUse(gpu));
      case NvmlResult.Value<ComputeMode>(var mode) -> {
        if (mode != ComputeMode.DEFAULT) {
          log.warn(
              "{} is already in compute mode {}, perhaps set by another MPS daemon; "
                  + "this mode will be restored later (to reset it: nvidia-smi -i {} -c "
                  + "DEFAULT)",
              gpu,
              mode,
              gpu);
        }
        into.put(gpu, mode);
        yield Optional.empty();
      }
      case NvmlResult.Unsupported<ComputeMode>() ->
          Optional.of(gpu + " has no compute mode, so MPS cannot share it");
      case NvmlResult.Failed<ComputeMode>(var reason, var code, _) ->
          Optional.of(
              "the compute mode of " + gpu + " cannot be read: " + reason + " (" + code + ")");
    };
  }

  private static String outOfUse(GpuUuid gpu) {
    return gpu
        + " is in compute mode PROHIBITED: it was taken out of use (nvidia-smi -i "
        + gpu
        + " -c DEFAULT ends that)";
  }

  private Optional<String> set(GpuUuid gpu, ComputeMode mode) {
    return switch (modes.set(gpu, mode)) {
      case NvmlResult.Value<Boolean> _ -> Optional.empty();
      case NvmlResult.Unsupported<Boolean>() ->
          Optional.of(gpu + " cannot be put into compute mode " + mode + ": not supported");
      case NvmlResult.Failed<Boolean>(var reason, var code, _) ->
          Optional.of(
              gpu + " cannot be put into compute mode " + mode + ": " + reason + " (" + code + ")");
    };
  }
}

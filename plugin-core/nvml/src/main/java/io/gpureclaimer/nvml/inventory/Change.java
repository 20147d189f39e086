package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing that is otherwise than in the survey before. */
public sealed interface Change {

  /** There is a GPU that was not there. */
  record Appeared(GpuUuid gpu) implements Change {}

  /** The driver does not count a GPU any more. */
  record Vanished(GpuUuid gpu) implements Change {}

  /** The driver counts it, and cannot tell of it any more. */
  record Silenced(GpuUuid gpu, String reason) implements Change {}

  /** It can be asked again. */
  record Answers(GpuUuid gpu) implements Change {}

  /** MIG has divided it in another way. */
  record Divided(GpuUuid gpu, List<String> profiles) implements Change {
    public Divided {
      profiles = List.copyOf(profiles);
    }
  }

  /** What the driver wants done before it is used again is something else. */
  record ActionChanged(GpuUuid gpu, @Nullable RecoveryAction action) implements Change {}

  /** Another driver is loaded. */
  record DriverChanged(@Nullable String before, @Nullable String now) implements Change {}
}

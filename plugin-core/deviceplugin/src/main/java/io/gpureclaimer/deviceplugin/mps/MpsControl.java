package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;

/** NVIDIA's control program. No call takes longer than its deadline, whatever the program does. */
interface MpsControl {

  /** Result of a control command. */
  sealed interface ControlResult {

    /** The command succeeded, with this output. */
    record Answered(String text) implements ControlResult {}

    /** The command failed; the reason is for people. */
    record Refused(String reason) implements ControlResult {}
  }

  /** Starts a daemon in the background, which sees these GPUs. */
  ControlResult start(MpsPaths home, List<GpuUuid> gpus);

  /** Gives a daemon a command. */
  ControlResult ask(MpsPaths home, String command);

  /** Ends a daemon that does not end when asked to, with all its children. */
  void kill(MpsPaths home);
}

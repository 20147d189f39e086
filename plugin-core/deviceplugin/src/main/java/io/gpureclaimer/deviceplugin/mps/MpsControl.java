package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;

/** NVIDIA's control program. No call takes longer than its deadline, whatever the program does. */
interface MpsControl {

  /** What came of a call. */
  sealed interface Reply {

    /** The program did it, and said this. */
    record Answered(String text) implements Reply {}

    /** It did not; the reason is for people. */
    record Refused(String reason) implements Reply {}
  }

  /** Starts a daemon in the background, which sees these GPUs. */
  Reply start(MpsHome home, List<GpuUuid> gpus);

  /** Gives a daemon a command. */
  Reply ask(MpsHome home, String command);

  /** Ends a daemon that does not end when asked to, with all its children. */
  void kill(MpsHome home);
}

package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;

/** Reason why a workload is not reclaimed, even if idle. */
public sealed interface Protection {

  /** A pod that no policy may touch, and why. */
  record Untouchable(PodRef pod, String why) implements Protection {}

  /** A pod is on its way out already. */
  record Terminating(PodRef pod) implements Protection {}

  /** A pod also has GPU shares or others' accelerators, which are not observed one by one. */
  record OtherAccelerators(PodRef pod) implements Protection {}

  /** A pod shares a GPU, so that its own activity cannot be distinguished from that of others. */
  record SharedGpu(PodRef pod, GpuUuid gpu) implements Protection {}

  /** The namespace's annotations have not been read, so the policy is unknown. */
  record NamespaceUnseen(String namespace) implements Protection {}

  /** It is excluded: {@code pod ml/train-0} or {@code namespace ml}. */
  record Excluded(String object) implements Protection {}

  /** It declares for another tool that it must not be evicted, and we honor that. */
  record OptedOutElsewhere(String object, String key, String value) implements Protection {}

  /** The mode is off. */
  record SwitchedOff(Origin origin) implements Protection {}

  /** Whether people chose it, by annotations that they may take away again. */
  default boolean isChosen() {
    return switch (this) {
      case Excluded _, OptedOutElsewhere _, SwitchedOff _ -> true;
      case Untouchable _, Terminating _, OtherAccelerators _, SharedGpu _, NamespaceUnseen _ ->
          false;
    };
  }
}

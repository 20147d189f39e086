package io.gpureclaimer.nvml.poll;

import java.util.Arrays;
import java.util.Optional;

/** What has to be done before a GPU can be used again, as NVML's field 230 tells it. */
public enum RecoveryAction {
  NONE(0),
  GPU_RESET(1),
  NODE_REBOOT(2),
  DRAIN_P2P(3),
  DRAIN_AND_RESET(4),
  RECOVER_IMEX_DOMAIN(5),
  /** Something, for which this program has no name: not nothing. */
  OTHER(-1);

  private final int code;

  RecoveryAction(int code) {
    this.code = code;
  }

  /** NVML's number of it. */
  public int code() {
    return code;
  }

  /** Empty for a number that is not in NVML's list. */
  public static Optional<RecoveryAction> of(int code) {
    return Arrays.stream(values()).filter(action -> action.code == code).findFirst();
  }
}

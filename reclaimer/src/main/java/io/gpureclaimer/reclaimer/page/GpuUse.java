package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.Active;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Verdict.NotRunning;
import io.gpureclaimer.reclaimer.verdict.Verdict.Notified;
import io.gpureclaimer.reclaimer.verdict.Verdict.Protected;
import io.gpureclaimer.reclaimer.verdict.Verdict.Reported;
import io.gpureclaimer.reclaimer.verdict.Verdict.Starting;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWarn;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWithdraw;
import io.gpureclaimer.reclaimer.verdict.Verdict.Unknown;
import io.gpureclaimer.reclaimer.verdict.Verdict.Vetoed;
import io.gpureclaimer.reclaimer.verdict.Verdict.Warned;
import io.gpureclaimer.reclaimer.verdict.Verdict.Watching;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Locale;

/**
 * How many GPUs and MIG instances workloads have, by what is known of their activity.
 *
 * @param allocated in all
 * @param active of active workloads
 * @param idle of workloads without activity, however short
 * @param unknown of workloads whose activity is not known
 */
public record GpuUse(int allocated, int active, int idle, int unknown) {

  /** No device. */
  static final GpuUse NONE = new GpuUse(0, 0, 0, 0);

  /** The sum over workloads, without replicas of shared GPUs. */
  static GpuUse of(List<Verdict> verdicts) {
    GpuUse sum = NONE;
    for (Verdict verdict : verdicts) {
      Workload workload = verdict.workload();
      sum = sum.plus(workload.devicesHeld() - workload.replicasHeld(), activity(verdict));
    }
    return sum;
  }

  /** The same with devices more. */
  GpuUse plus(int devices, GpuActivity activity) {
    return plus(
        switch (activity) {
          case ACTIVE -> new GpuUse(devices, devices, 0, 0);
          case IDLE -> new GpuUse(devices, 0, devices, 0);
          case UNKNOWN -> new GpuUse(devices, 0, 0, devices);
          case OTHER -> new GpuUse(devices, 0, 0, 0);
        });
  }

  /** The sum of both. */
  GpuUse plus(GpuUse other) {
    return new GpuUse(
        allocated + other.allocated,
        active + other.active,
        idle + other.idle,
        unknown + other.unknown);
  }

  /** What a verdict says of it. */
  public static GpuActivity activity(Verdict verdict) {
    return switch (verdict) {
      case Active _, Vetoed _, ToWithdraw _ -> GpuActivity.ACTIVE;
      case Watching _, Reported _, ToWarn _, Warned _, Notified _, Due _ -> GpuActivity.IDLE;
      case Unknown _ -> GpuActivity.UNKNOWN;
      case Protected _, NotRunning _, Starting _ -> GpuActivity.OTHER;
    };
  }

  /** What is known of the activity of a workload. */
  public enum GpuActivity {
    ACTIVE,
    IDLE,
    UNKNOWN,
    /** It is protected or does not run yet, so its activity decides nothing. */
    OTHER;

    /** In addresses, tables and styles. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

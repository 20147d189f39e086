package io.gpureclaimer.reclaimer.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** How other reclaimers would decide on the same samples. */
enum BaselineReclaimer {
  /** gpu-pruner 0.4: some GPU of the pod whose samples of the window are all zero. */
  ANY_GPU_MAX_IS_ZERO("gpu-pruner: any GPU, max over 30 min = 0", Duration.ofMinutes(30)) {
    @Override
    boolean isIdle(NavigableMap<Instant, Double> window) {
      return !window.isEmpty() && window.values().stream().allMatch(percent -> percent == 0);
    }
  },
  /** HPE's plugin as its authors describe it: an average below a tenth. */
  AVERAGE_BELOW_A_TENTH("average over 1 h < 10 %", Duration.ofHours(1)) {
    @Override
    boolean isIdle(NavigableMap<Instant, Double> window) {
      return window.values().stream().mapToDouble(percent -> percent).average().orElse(IN_USE)
          < TENTH;
    }
  };

  private static final double TENTH = 10;
  private static final double IN_USE = 100;
  private static final Duration CYCLE = Duration.ofMinutes(3);
  private static final Duration GRACE = Duration.ofMinutes(5);

  private final String title;
  private final Duration window;

  BaselineReclaimer(String title, Duration window) {
    this.title = title;
    this.window = window;
  }

  /** Whether the samples that there are make this GPU idle. */
  abstract boolean isIdle(NavigableMap<Instant, Double> window);

  String title() {
    return title;
  }

  Duration window() {
    return window;
  }

  /** Everything it would do to one workload, of which a share of the samples got lost. */
  List<ReplayedAction> actsOn(TracedPod workload, double lost, Random random) {
    List<NavigableMap<Instant, Double>> kept =
        workload.traces().stream().map(trace -> kept(trace.samples(), lost, random)).toList();
    var acts = new ArrayList<ReplayedAction>();
    Instant created = workload.from();
    for (Instant now = created; now.isBefore(workload.to()); now = now.plus(CYCLE)) {
      Instant at = now;
      boolean old = !at.isBefore(created.plus(window).plus(GRACE));
      Instant since = at.minus(window).isBefore(created) ? created : at.minus(window);
      if (old && kept.stream().anyMatch(all -> isIdle(all.subMap(since, false, at, true)))) {
        acts.add(new ReplayedAction(workload, at));
        created = workload.nextWork(at);
        if (!created.isBefore(workload.to())) {
          break;
        }
        now = created;
      }
    }
    return acts;
  }

  private static NavigableMap<Instant, Double> kept(
      NavigableMap<Instant, Double> samples, double lost, Random random) {
    NavigableMap<Instant, Double> kept = new TreeMap<>(samples);
    kept.keySet().removeIf(_ -> random.nextDouble() < lost);
    return kept;
  }
}

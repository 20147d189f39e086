package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.StrictScrape.ScrapedSample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One look at what the agent says, and what was true meanwhile.
 *
 * <p>What it may say late, it has these times for; where the machine itself stood still, as long as
 * that in addition.
 *
 * @param samples of its scrape, if this is a scrape
 * @param history of the node
 * @param asked when it was asked
 * @param answered when it had answered
 * @param stall for how long the machine stood still, lately
 * @param recentStall the same, while the values of a scrape were read
 */
record AgentOutput(
    List<ScrapedSample> samples,
    NodeHistory history,
    Instant asked,
    Instant answered,
    Duration stall,
    Duration recentStall) {
  /** A value is at most so old. */
  static final Duration OLDEST = Duration.ofSeconds(2);

  /**
   * After a longer stall, the values of the last poll may be too old, and those of the next one not
   * there yet.
   */
  private static final Duration POLL_DELAY = Duration.ofMillis(500);

  /** A pod without a GPU is no longer named with it; what returned is shown again. */
  static final Duration SETTLED = Duration.ofSeconds(10);

  /** An instance that the driver does not list is polled for every ten seconds. */
  static final Duration DISCOVERED = SETTLED.plusSeconds(11);

  /** The kubelet's last word stands so long, and then two questions more may be on their way. */
  static final Duration LAST_WORD = Duration.ofSeconds(5);

  /** Times are reported in milliseconds. */
  static final Duration ROUNDED = Duration.ofMillis(1);

  AgentOutput {
    samples = List.copyOf(samples);
  }

  /** Whether it may have been so lately. */
  boolean may(Predicate<ActualNode> so, Duration ago) {
    return history.mayHaveBeen(so, asked.minus(ago).minus(stall), answered);
  }

  /** Whether it was so for long enough that it must have been noticed. */
  boolean surely(Predicate<ActualNode> so) {
    return surely(SETTLED, so);
  }

  /** The same of a device, which may be a part. */
  boolean surely(int device, Predicate<ActualNode> so) {
    return surely(ActualNode.isPart(device) ? DISCOVERED : SETTLED, so);
  }

  boolean surely(Duration ago, Predicate<ActualNode> so) {
    return history.surelyWas(so, asked.minus(ago).minus(stall), answered);
  }

  /** Whether a value must be shown that could be read for so long. */
  boolean mustShow(int device, Predicate<ActualNode> readable) {
    return recentStall.compareTo(POLL_DELAY) < 0 && surely(device, readable);
  }

  List<ScrapedSample> of(String name) {
    return samples.stream().filter(sample -> sample.series().name().equals(name)).toList();
  }

  /** Series that reports how busy a device is: one for GPUs, another for instances. */
  List<ScrapedSample> work() {
    var all = new ArrayList<>(of("DCGM_FI_DEV_GPU_UTIL"));
    of("DCGM_FI_PROF_GR_ENGINE_ACTIVE").stream()
        .filter(sample -> ActualNode.isPart(device(sample)))
        .forEach(all::add);
    return all;
  }

  static double value(ScrapedSample sample) {
    return Double.parseDouble(sample.value());
  }

  static int device(ScrapedSample sample) {
    String uuid = sample.series().labels().getOrDefault("UUID", "-1");
    int gpu = Integer.parseInt(uuid.substring(uuid.length() - 1));
    String part = sample.series().labels().get("GPU_I_ID");
    return part == null ? gpu : gpu + Integer.parseInt(part);
  }

  static String pod(ScrapedSample sample) {
    return sample.series().labels().getOrDefault("pod", "");
  }
}

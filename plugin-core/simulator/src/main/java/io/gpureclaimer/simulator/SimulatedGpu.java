package io.gpureclaimer.simulator;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** One simulated card: what its sensors say is a function of its index, the script and the time. */
final class SimulatedGpu {
  private static final int FULL = 100;
  private static final int WANDERS_BY = 5;
  private static final int IDLE_CELSIUS = 31;
  private static final int HOTTEST_CELSIUS = 74;
  private static final int HBM_IS_HOTTER_BY = 6;
  private static final int FIRST_BUS = 0x19;
  private static final int BUSES_APART = 0x12;
  private static final int MEMORY_SHARE_PERCENT = 60;
  private static final double KIB_PER_MIB = 1024;
  private static final double MILLI = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final Duration UP_BEFORE = Duration.ofHours(1);

  private final int index;
  private final Model model;
  private final String uuid;
  private final MigLayout layout;
  private final AtomicReference<Totals> totals;
  private final AtomicInteger computeMode = new AtomicInteger();

  private record Totals(Instant at, double millijoules, double nvlinkKib) {}

  SimulatedGpu(int index, Model model, MigLayout layout, String nodeName, Instant start) {
    this.index = index;
    this.model = model;
    this.layout = layout;
    byte[] seed = (nodeName + '/' + index).getBytes(StandardCharsets.UTF_8);
    this.uuid = "GPU-" + UUID.nameUUIDFromBytes(seed);
    double idleEnergy = model.idleWatts() * MILLI * UP_BEFORE.toSeconds();
    this.totals = new AtomicReference<>(new Totals(start, idleEnergy, 0));
  }

  int index() {
    return index;
  }

  Model model() {
    return model;
  }

  String uuid() {
    return uuid;
  }

  /** How it is divided now. */
  MigLayout layout(GpuScript script) {
    return model.canBeDivided() ? script.mig().orElse(layout) : MigLayout.OFF;
  }

  /** Over NVLink: all cards of a kind that has it are. */
  boolean isLinkedTo(SimulatedGpu other) {
    return model.nvlinkMibPerSecond() > 0 && model.equals(other.model);
  }

  /** Counts from zero again, as a card does that was reset. */
  void reset(Instant now) {
    totals.set(new Totals(now, 0, 0));
    computeMode.set(0);
  }

  int computeMode() {
    return computeMode.get();
  }

  void computeMode(int mode) {
    computeMode.set(mode);
  }

  int bus() {
    return FIRST_BUS + index * BUSES_APART;
  }

  String busId() {
    return "00000000:" + Integer.toHexString(bus()).toUpperCase(Locale.ROOT) + ":00.0";
  }

  /** What the script says, give or take five, another value every second; exact at 0 and at 100. */
  int utilizationPercent(GpuScript script, Instant now) {
    int around = script.utilizationPercent();
    if (around == 0 || around == FULL) {
      return around;
    }
    long step = Math.floorMod(mixed(index, now.getEpochSecond()), 2L * WANDERS_BY + 1) - WANDERS_BY;
    return Math.clamp(around + step, 1, FULL);
  }

  int memoryUtilizationPercent(GpuScript script, Instant now) {
    return utilizationPercent(script, now) * MEMORY_SHARE_PERCENT / FULL;
  }

  int usedMib(GpuScript script) {
    int mostlyUsed = script.utilizationPercent() == 0 ? 0 : model.totalMib() / 4;
    return Math.min(
        script.memoryUsedMib().orElse(mostlyUsed), model.totalMib() - model.reservedMib());
  }

  int milliwatts(GpuScript script, Instant now) {
    double share = utilizationPercent(script, now) / (double) FULL;
    return (int)
        Math.round((model.idleWatts() + (model.maxWatts() - model.idleWatts()) * share) * MILLI);
  }

  int celsius(GpuScript script, Instant now) {
    return IDLE_CELSIUS + (HOTTEST_CELSIUS - IDLE_CELSIUS) * utilizationPercent(script, now) / FULL;
  }

  int memoryCelsius(GpuScript script, Instant now) {
    return celsius(script, now) + HBM_IS_HOTTER_BY;
  }

  int smMegahertz(GpuScript script) {
    return script.utilizationPercent() == 0 ? model.idleSmMegahertz() : model.maxSmMegahertz();
  }

  long totalMillijoules(GpuScript script, Instant now) {
    return (long) totals(script, now).millijoules();
  }

  /** One direction; the other has carried as much. */
  long nvlinkKib(GpuScript script, Instant now) {
    return (long) (totals(script, now).nvlinkKib() / 2);
  }

  /** Goes on counting at the present rate from where the last reading left off. */
  private Totals totals(GpuScript script, Instant now) {
    double kibPerSecond =
        model.nvlinkMibPerSecond() * KIB_PER_MIB * utilizationPercent(script, now) / FULL;
    return totals.updateAndGet(
        last -> {
          double seconds =
              Math.max(0, Duration.between(last.at(), now).toNanos() / NANOS_PER_SECOND);
          return new Totals(
              now,
              last.millijoules() + seconds * milliwatts(script, now),
              last.nvlinkKib() + seconds * kibPerSecond);
        });
  }

  /** Two numbers well stirred (the finalizer of SplitMix64). */
  private static long mixed(long seed, long second) {
    long z = seed * 0x9E3779B97F4A7C15L + second;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}

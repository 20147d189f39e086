package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.session.DriverSession.Open;
import io.gpureclaimer.nvml.session.DriverThread;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives every GPU its turn, one after the other; those first that only have to be asked. A GPU
 * whose turn does not end in time is left alone until it does, and costs later passes nothing; the
 * others go on. However many GPUs are slow at once, a pass takes no longer than its own deadline:
 * each GPU may use its share of the time that is left. Until the first GPU of all has answered it
 * may be the program that is slow, on a node that has just begun, too, and there is more patience.
 * Confined to the thread that runs the passes.
 */
public final class SamplingPass {
  private static final int TIMES_AS_PATIENT_WHILE_COLD = 4;

  private final List<Collector> collectors;
  private final Predicate<GpuUuid> dividedAnew;
  private final DriverThread thread;
  private final Deadlines deadlines;
  private final MonotonicClock monotonic;
  private final InstantSource clock;

  private final Map<Integer, Slot> slots = new HashMap<>();
  private Questionnaire questionnaire = new Questionnaire(Set.of(), List.of());
  private Set<DcgmField> asked = Set.of();
  private @Nullable Nvml session;
  private int devices;
  private boolean cold = true;

  /**
   * @param collectors who asks, in any order
   * @param dividedAnew whether MIG may have divided a GPU in another way since this was last asked
   * @param thread where the driver is called
   * @param deadlines how long we wait
   * @param monotonic monotonic clock
   * @param clock tells when a turn began
   */
  public SamplingPass(
      List<Collector> collectors,
      Predicate<GpuUuid> dividedAnew,
      DriverThread thread,
      Deadlines deadlines,
      MonotonicClock monotonic,
      InstantSource clock) {
    this.collectors = List.copyOf(collectors);
    this.dividedAnew = dividedAnew;
    this.thread = thread;
    this.deadlines = deadlines;
    this.monotonic = monotonic;
    this.clock = clock;
  }

  /**
   * How long we wait.
   *
   * @param turn for one GPU in one pass; what takes longer goes on without us
   * @param pass for all GPUs together in one pass
   * @param introduceAfter between two attempts to learn which GPU it is, when the first one failed
   * @param tooLate age at which what a GPU said is of no use any more
   */
  public record Deadlines(
      Duration turn, Duration pass, Duration introduceAfter, Duration tooLate) {}

  /** What a pass saw, and how it went. */
  public record Sweep(List<GpuSample> gpus, PassReport report) {}

  /**
   * Asks every GPU.
   *
   * @param wanted the fields that somebody has a use for
   * @throws io.gpureclaimer.nvml.NvmlException if the session is gone
   */
  public Sweep run(Open driver, Set<DcgmField> wanted) {
    long began = monotonic.nanos();
    askFor(wanted);
    forgetIfChanged(driver);
    var turns = new Taken[driver.devices()];
    takeTogether(began, turns);
    takeSingly(driver.nvml(), began, turns);
    cold = false;
    return sweep(turns, Duration.ofNanos(monotonic.nanos() - began));
  }

  /** The GPUs that only have to be asked: nearly always all of them. */
  private void takeTogether(long began, Taken[] turns) {
    var ready =
        IntStream.range(0, turns.length).mapToObj(this::slot).filter(Slot::isReady).toList();
    int inAll = notStuck(turns);
    var before = since(began);
    thread.askAll(
        ready.stream().map(Slot::turn).toList(),
        (i, after) -> patience(before.plus(after), inAll - i),
        (outcome, i) -> turns[ready.get(i).index()] = ready.get(i).took(outcome));
  }

  /** Those that are not known yet, hang, or have hung. */
  private void takeSingly(Nvml nvml, long began, Taken[] turns) {
    long warmSince = began;
    for (int index = 0; index < turns.length; index++) {
      if (turns[index] == null) {
        turns[index] = slot(index).takeTurn(nvml, patience(since(warmSince), notStuck(turns)));
        if (cold && !(turns[index].sample() instanceof GpuSample.Hung)) {
          cold = false;
          warmSince = monotonic.nanos();
        }
      }
    }
  }

  /** How many are still to be asked, and can be. */
  private int notStuck(Taken[] turns) {
    int left = 0;
    for (int index = 0; index < turns.length; index++) {
      if (turns[index] == null && !slot(index).isStuck()) {
        left++;
      }
    }
    return left;
  }

  private static Sweep sweep(Taken[] turns, Duration took) {
    var samples = new ArrayList<GpuSample>();
    var errors = new HashMap<String, Integer>();
    var reports = new HashMap<String, CollectorReport>();
    for (Taken taken : turns) {
      samples.add(taken.sample());
      for (NvmlReturn failure : taken.failures()) {
        errors.merge(failure.name().toLowerCase(Locale.ROOT), 1, Integer::sum);
      }
      taken.reports().forEach((name, report) -> reports.merge(name, report, CollectorReport::plus));
    }
    return new Sweep(List.copyOf(samples), new PassReport(took, errors, reports));
  }

  private Duration since(long began) {
    return Duration.ofNanos(monotonic.nanos() - began);
  }

  private Duration patience(Duration spent, int gpusLeft) {
    long turn = deadlines.turn().toNanos();
    long pass = deadlines.pass().toNanos();
    long atMost =
        cold
            ? Math.min(
                turn * TIMES_AS_PATIENT_WHILE_COLD,
                pass * TIMES_AS_PATIENT_WHILE_COLD - spent.toNanos())
            : Math.min(turn, (pass - spent.toNanos()) / Math.max(1, gpusLeft));
    return Duration.ofNanos(Math.max(Slot.SHORTEST_PATIENCE.toNanos(), atMost));
  }

  private void askFor(Set<DcgmField> wanted) {
    if (!wanted.equals(asked)) {
      asked = wanted;
      questionnaire = Questionnaire.of(wanted, collectors);
      slots.values().forEach(slot -> slot.askFor(questionnaire));
    }
  }

  /** Handles die with their session, and indexes shift when a device comes or goes. */
  private void forgetIfChanged(Open driver) {
    if (session != driver.nvml() || devices != driver.devices()) {
      session = driver.nvml();
      devices = driver.devices();
      slots.values().removeIf(slot -> !slot.isStuck());
      slots.values().forEach(Slot::forgetDevice);
    }
  }

  private Slot slot(int index) {
    return slots.computeIfAbsent(index, this::fresh);
  }

  private Slot fresh(int index) {
    return new Slot(index, questionnaire, dividedAnew, thread, deadlines, monotonic, clock);
  }
}

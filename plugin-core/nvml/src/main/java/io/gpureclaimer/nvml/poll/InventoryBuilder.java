package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.GpuProbe.GpuProbeResult;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.GpuStatus.Late;
import io.gpureclaimer.nvml.poll.GpuStatus.Responding;
import io.gpureclaimer.nvml.poll.GpuStatus.Unavailable;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the inventory of a poll from the answers of the GPUs. Remembers which GPU was at which
 * index, also across sessions, as long as the driver has as many. Confined to the poller's lock.
 */
final class InventoryBuilder {
  private static final String TWIN = "its UUID is another GPU's";

  private final Map<Integer, GpuUuid> lastAt = new HashMap<>();
  private final Set<GpuUuid> inMigMode = new HashSet<>();
  private final Map<GpuUuid, GpuFacts> lastFacts = new HashMap<>();

  /** GPUs that new containers might get after the last poll. */
  private final Set<GpuUuid> usable = new HashSet<>();

  private int lastCount;

  InventoryBuilder(List<Optional<GpuUuid>> order) {
    for (int index = 0; index < order.size(); index++) {
      int at = index;
      order.get(index).ifPresent(gpu -> lastAt.put(at, gpu));
    }
    lastCount = order.size();
  }

  /**
   * Inventory of a poll.
   *
   * @param gpus without those that only drive a display
   * @param counters of those whose facts were read
   * @param isUnsettled whether a poll soon may bring more
   */
  record Built<R>(
      List<GpuStatus> gpus,
      List<GpuPoll.GpuPollResult<R>> results,
      Map<GpuUuid, GpuCounters> counters,
      boolean isUnsettled) {}

  /** There is no session, or another one, or GPUs came or went: a late call is no GPU's. */
  void forgetUsable() {
    usable.clear();
  }

  <R> Built<R> build(List<GpuProbeResult<R>> answers) {
    if (answers.size() != lastCount) {
      lastAt.clear();
      lastCount = answers.size();
    }
    Set<GpuUuid> present = new HashSet<>();
    List<GpuProbeResult<R>> distinct = new ArrayList<>();
    for (GpuProbeResult<R> answer : answers) {
      GpuUuid uuid = answer.responds() ? answer.uuid() : null;
      distinct.add(uuid == null || present.add(uuid) ? answer : twin(answer));
    }
    List<GpuStatus> gpus = new ArrayList<>();
    List<GpuPoll.GpuPollResult<R>> results = new ArrayList<>();
    Map<GpuUuid, GpuCounters> counters = new HashMap<>();
    boolean isUnsettled = false;
    for (int index = 0; index < distinct.size(); index++) {
      GpuProbeResult<R> answer = distinct.get(index);
      GpuUuid uuid = uuid(index, answer, present);
      GpuFacts facts = facts(answer, uuid);
      results.add(result(index, answer, uuid, facts));
      if (!answer.isDisplay()) {
        gpus.add(status(index, answer, uuid, facts));
        isUnsettled |= answer.fault() == GpuFault.OVERDUE;
      }
      if (answer.counters() != null && uuid != null && answer.responds()) {
        counters.put(uuid, answer.counters());
      }
    }
    remember(gpus);
    return new Built<>(List.copyOf(gpus), results, counters, isUnsettled);
  }

  /** GPU at each index, as far as known; a GPU in MIG mode is left out. */
  List<Optional<GpuUuid>> order() {
    return IntStream.range(0, lastCount)
        .mapToObj(lastAt::get)
        .map(gpu -> Optional.ofNullable(gpu).filter(known -> !inMigMode.contains(known)))
        .toList();
  }

  private static <R> GpuProbeResult<R> twin(GpuProbeResult<R> answer) {
    return new GpuProbeResult<>(
        null,
        null,
        null,
        null,
        null,
        GpuFault.REFUSED,
        TWIN,
        answer.failures(),
        answer.began(),
        answer.ended());
  }

  /** A GPU that responds elsewhere is not the one that is silent here. */
  private @Nullable GpuUuid uuid(int index, GpuProbeResult<?> answer, Set<GpuUuid> present) {
    GpuUuid uuid = answer.uuid();
    if (uuid != null && (answer.responds() || !present.contains(uuid))) {
      return uuid;
    }
    GpuUuid last = answer.reason().equals(TWIN) ? null : lastAt.get(index);
    return last == null || present.contains(last) ? null : last;
  }

  private @Nullable GpuFacts facts(GpuProbeResult<?> answer, @Nullable GpuUuid uuid) {
    if (uuid == null) {
      return null;
    }
    GpuFacts facts = answer.facts();
    return facts != null && facts.gpu().uuid().equals(uuid) ? facts : lastFacts.get(uuid);
  }

  private static <R> GpuPoll.GpuPollResult<R> result(
      int index, GpuProbeResult<R> answer, @Nullable GpuUuid uuid, @Nullable GpuFacts facts) {
    PolledGpu polled = answer.gpu();
    Gpu gpu =
        polled != null && polled.gpu().uuid().equals(uuid)
            ? polled.gpu()
            : facts != null && facts.gpu().index() == index ? facts.gpu() : null;
    return new GpuPoll.GpuPollResult<>(
        index, gpu, answer.read(), answer.fault(), answer.reason(), answer.failures());
  }

  private GpuStatus status(
      int index, GpuProbeResult<?> answer, @Nullable GpuUuid uuid, @Nullable GpuFacts facts) {
    GpuFault fault = answer.fault();
    if (facts != null && (fault == null || fault == GpuFault.UNREADABLE)) {
      return new Responding(facts);
    }
    if (facts != null && fault == GpuFault.OVERDUE && usable.contains(uuid)) {
      return new Late(facts);
    }
    return new Unavailable(
        index, uuid, facts, fault == null ? GpuFault.INCOMPLETE : fault, answer.reason());
  }

  private void remember(List<GpuStatus> gpus) {
    Map<GpuUuid, GpuFacts> known = new HashMap<>();
    for (GpuStatus gpu : gpus) {
      GpuUuid uuid = gpu.uuid();
      GpuFacts facts = gpu.lastKnown();
      if (uuid != null && facts != null) {
        known.put(uuid, facts);
      }
      if (gpu instanceof Responding(var now)) {
        lastAt.put(gpu.index(), now.gpu().uuid());
        if (now.migOn()) {
          inMigMode.add(now.gpu().uuid());
        } else {
          inMigMode.remove(now.gpu().uuid());
        }
      } else if (uuid != null && gpu instanceof Unavailable(_, _, _, var fault, _)) {
        if (fault == GpuFault.INCOMPLETE) {
          lastAt.put(gpu.index(), uuid);
        }
      }
    }
    lastFacts.clear();
    lastFacts.putAll(known);
    usable.clear();
    gpus.stream()
        .filter(gpu -> gpu.usable() != null)
        .map(GpuStatus::uuid)
        .filter(Objects::nonNull)
        .forEach(usable::add);
  }
}

package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.WorkloadEvidence.IdleClock.IdleStart;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds signals that show work of a workload with idle GPUs. */
final class Vetoes {
  private final Set<SignalKind> enabled;
  private final Map<WorkloadClass, Set<SignalKind>> counting = new EnumMap<>(WorkloadClass.class);

  /**
   * @param enabled the signals that count
   */
  Vetoes(Set<SignalKind> enabled) {
    this.enabled = Set.copyOf(enabled);
    for (WorkloadClass each : WorkloadClass.values()) {
      Set<SignalKind> kinds = EnumSet.noneOf(SignalKind.class);
      enabled.stream().filter(kind -> !isNoiseFor(each, kind)).forEach(kinds::add);
      counting.put(each, Collections.unmodifiableSet(kinds));
    }
  }

  private Set<SignalKind> countingFor(WorkloadClass workloadClass) {
    return counting.getOrDefault(workloadClass, Set.of());
  }

  /** The verdict that spares the workload. */
  Optional<Verdict> of(Workload workload, WorkloadClass workloadClass, Observation observation) {
    return switch (observation) {
      case Blind _ -> Optional.empty();
      case Seen seen -> of(workload, countingFor(workloadClass), seen);
    };
  }

  private static Optional<Verdict> of(Workload workload, Set<SignalKind> kinds, Seen seen) {
    for (PodView pod : workload.pods()) {
      for (Signal signal : seen.pod(pod.ref().uid()).map(PodActivity::signals).orElse(List.of())) {
        if (kinds.contains(signal.kind()) && signal.saysWork()) {
          return Optional.of(new Verdict.Vetoed(workload, pod.ref(), signal));
        }
      }
    }
    return Optional.empty();
  }

  /** When a signal that counts last said that the pod works; not known to be is empty. */
  Optional<IdleStart> lastWork(PodView pod, WorkloadClass workloadClass, Observation observation) {
    Set<SignalKind> counting = countingFor(workloadClass);
    return heard(pod, observation)
        .flatMap(
            heard ->
                Stream.of(lastWork(heard, counting), warnedAbout(pod, heard))
                    .flatMap(Optional::stream)
                    .max(Comparator.comparing(IdleStart::at)));
  }

  private static Optional<IdleStart> lastWork(SignalHistory heard, Set<SignalKind> counting) {
    return heard
        .lastWork(counting)
        .map(
            said ->
                new IdleStart(
                    said.getValue(), said.getKey().code() + " said work or was not known"));
  }

  /** The replica that warned may have seen work before this replica began to observe. */
  private static Optional<IdleStart> warnedAbout(PodView pod, SignalHistory heard) {
    return Warning.noteIn(pod.annotations()) instanceof Warning.Note.Given(var warning)
            && heard.since().isAfter(warning.idleSince())
        ? Optional.of(new IdleStart(warning.idleSince(), "the work that its warning is dated by"))
        : Optional.empty();
  }

  /** For how long the signals of every pod have been observed; empty where that does not matter. */
  Optional<Duration> listened(Workload workload, Observation observation) {
    return enabled.isEmpty()
        ? Optional.empty()
        : workload.pods().stream()
            .flatMap(pod -> heard(pod, observation).stream())
            .flatMap(heard -> sinceThen(heard, observation).stream())
            .min(Comparator.naturalOrder());
  }

  private static Optional<SignalHistory> heard(PodView pod, Observation observation) {
    return switch (observation) {
      case Blind _ -> Optional.empty();
      case Seen seen -> seen.pod(pod.ref().uid()).flatMap(PodActivity::signalHistory);
    };
  }

  private static Optional<Duration> sinceThen(SignalHistory heard, Observation observation) {
    return switch (observation) {
      case Blind _ -> Optional.empty();
      case Seen seen -> Optional.of(Duration.between(heard.since(), seen.at()));
    };
  }

  /** Servers that wait for requests spin on the CPU; their requests are counted. */
  private static boolean isNoiseFor(WorkloadClass workloadClass, SignalKind kind) {
    return workloadClass == WorkloadClass.SERVING && kind == SignalKind.CPU;
  }
}

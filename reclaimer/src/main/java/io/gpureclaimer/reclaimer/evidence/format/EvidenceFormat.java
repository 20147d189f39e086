package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Evidence format of a Prometheus: its queries for now and for the past, and its parser. */
public interface EvidenceFormat {

  /** Name for configuration, metrics and people. */
  FormatName name();

  /** Labels by which its series name pods and devices. */
  PodLabelNames labels();

  /** Labels that its parser reads. */
  default Set<String> parsedLabels() {
    return Set.copyOf(labels().all());
  }

  /** The oddity of an answer without any pod. */
  String ifEmpty();

  /** Vectors about every pod. The smallest is first, because each {@code or} reads its left. */
  List<String> allPods();

  /** Its queries about some of the pods; empty if its series do not always have UIDs. */
  default Optional<SelectiveQueries> selective() {
    return Optional.empty();
  }

  /** Vectors about one pod; none if the pod cannot be queried, as its name is not known. */
  List<String> onePod(PodActivity pod);

  /** The vector about every pod of the past, with the labels of pod names. */
  String pastPods();

  /** The names of its clocks; empty if its series have none. */
  default Optional<ClockNames> clockNames() {
    return Optional.empty();
  }

  /** Series of the devices that pods of some namespaces hold. */
  String devicesOf(Collection<String> namespaces);

  /** Longest step between two observations of the past; empty if there is no limit. */
  default Optional<Duration> longestStep() {
    return Optional.empty();
  }

  /** The pod's name in a series, if it has one. */
  default Optional<PodName> podName(Map<String, String> labels) {
    return firstOf(labels, "exported_" + Labels.NAMESPACE, Labels.NAMESPACE)
        .flatMap(
            namespace ->
                firstOf(labels, "exported_" + Labels.POD, Labels.POD)
                    .map(pod -> new PodName(namespace, pod)));
  }

  /** A parser for one fetch. */
  EvidenceParser parser(PodActivityAggregator into);

  /** Names of series with times of each device of a pod, in seconds since the epoch. */
  record ClockNames(String lastActive, String observedSince, String observedUntil) {}

  /** Queries about some of the pods. */
  interface SelectiveQueries {

    /** The UIDs of the pods that were active within the last minute, with the time of that. */
    String recentlyActive();

    /**
     * Vectors about the pods of some series, complete as those of {@link #allPods}.
     *
     * @param matcher which series; all if it is empty
     */
    List<String> pods(String matcher);
  }

  /** Parser of the samples of one fetch. Confined to one thread at a time. */
  interface EvidenceParser {
    void accept(MetricSample sample);

    /** Whether no pod holds a device, by the samples so far. */
    boolean isEmpty();

    /**
     * Completes the aggregation after the last sample.
     *
     * @param at the source's time of the answer
     */
    void finish(Instant at, FetchScope scope);
  }

  /** Detector of one format. */
  interface Detector {

    /** The format's name in the configuration. */
    String code();

    /** The format before it was detected; empty if its queries depend on what is there. */
    Optional<EvidenceFormat> undetected();

    /** Vectors of a few counts, each marked with a kind, however large the Prometheus is. */
    List<String> queries();

    /**
     * Detects the format.
     *
     * @param style the only style of labels to accept
     */
    Detection detect(ProbeResult found, Optional<PodLabelNames.PodLabelStyle> style);
  }

  /** Result of a detection. */
  sealed interface Detection {

    /** The evidence is there. */
    record Found(EvidenceFormat format) implements Detection {}

    /** No evidence. */
    record Absent() implements Detection {}

    /**
     * Some evidence, but not for sure of which pod.
     *
     * @param why what was expected, what was found, and what would help
     */
    record Ambiguous(String why) implements Detection {}
  }

  private static Optional<String> firstOf(Map<String, String> labels, String... names) {
    return Stream.of(names)
        .flatMap(name -> Optional.ofNullable(labels.get(name)).stream())
        .filter(value -> !value.isBlank())
        .findFirst();
  }
}

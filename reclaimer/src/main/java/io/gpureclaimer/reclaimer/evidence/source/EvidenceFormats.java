package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detector;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.ledger.LedgerFormat;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import io.gpureclaimer.reclaimer.evidence.series.SeriesDetector;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Registry of the evidence formats of a Prometheus, and the detection of the one to use. */
public final class EvidenceFormats {

  /** From the best to the poorest. */
  private final List<Detector> detectors = detectors();

  private final Options options;

  EvidenceFormats(Options options) {
    this.options = options;
  }

  /**
   * What to fetch from a Prometheus.
   *
   * @param format code of the only format to use; detected if absent
   * @param labels code of the only style of labels to use; detected if absent
   * @param signals the signals to fetch
   * @param selectiveFrom from how many pods on a fetch of all reads only what may matter
   */
  public record Options(
      Optional<String> format, Optional<String> labels, SignalLimits signals, int selectiveFrom) {

    /** Everything is read, however many pods there are. */
    public Options(Optional<String> format, Optional<String> labels, SignalLimits signals) {
      this(format, labels, signals, Integer.MAX_VALUE);
    }

    /** The agents' records without signals. */
    public static Options ledgerOnly() {
      return new Options(Optional.of("ledger"), Optional.empty(), SignalLimits.none());
    }
  }

  /** The codes of all formats. */
  public static List<String> codes() {
    return detectors().stream().map(Detector::code).toList();
  }

  private static List<Detector> detectors() {
    return List.of(new LedgerFormat(), new RulesFormat(), new SeriesDetector());
  }

  /** The format before any detection. */
  EvidenceFormat undetected() {
    return wanted()
        .flatMap(Detector::undetected)
        .or(() -> detectors.stream().flatMap(each -> each.undetected().stream()).findFirst())
        .orElseThrow();
  }

  /** Whether the wanted format can be used without a detection. */
  boolean isFixed() {
    return wanted().flatMap(Detector::undetected).isPresent();
  }

  /** The wanted format, if it is not this one. */
  Optional<String> wantedInsteadOf(EvidenceFormat format) {
    return options.format().filter(code -> !code.equals(format.name().code()));
  }

  /** The query of all detectors. */
  String probe() {
    return detectors.stream()
        .flatMap(detector -> detector.queries().stream())
        .collect(Collectors.joining(" or "));
  }

  /** The best format that is there, or the wanted one. */
  Detection detect(ProbeResult found) {
    Optional<PodLabelNames.PodLabelStyle> style =
        options.labels().map(PodLabelNames.PodLabelStyle::of);
    return detectors.stream()
        .filter(detector -> options.format().orElse(detector.code()).equals(detector.code()))
        .map(detector -> detector.detect(found, style))
        .filter(detection -> !(detection instanceof Detection.Absent))
        .findFirst()
        .orElseGet(Detection.Absent::new);
  }

  private Optional<Detector> wanted() {
    return detectors.stream()
        .filter(each -> options.format().equals(Optional.of(each.code())))
        .findFirst();
  }
}

package io.gpureclaimer.exporter.sample;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.PassReport.CallError;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Failed calls of GPUs that respond to other calls. A GPU that does not respond has its fault
 * instead.
 */
public final class FailingCalls {
  /** Readings that show whether a GPU is in use. */
  private static final Set<DcgmField> ESSENTIAL =
      Set.of(DcgmField.DEV_GPU_UTIL, DcgmField.DEV_FB_USED, DcgmField.DEV_FB_FREE);

  private FailingCalls() {}

  /** Those of the pass. */
  public static Set<CallError> in(Snapshot snapshot) {
    var responding =
        snapshot.gpus().stream()
            .filter(Answered.class::isInstance)
            .map(GpuSample::index)
            .collect(Collectors.toSet());
    return snapshot.report().errors().keySet().stream()
        .filter(error -> responding.contains(error.gpu()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether an essential reading of the GPU, or all of it, is missing because calls failed. */
  public static boolean misses(GpuSample sample) {
    return !(sample instanceof Answered answered)
        || !Collections.disjoint(answered.failed(), ESSENTIAL);
  }

  /** Calls with their return code, and the GPUs that each concerns, in words. */
  public static Map<String, String> gpusByCall(Collection<CallError> errors) {
    return errors.stream()
        .collect(
            groupingBy(
                FailingCalls::name,
                TreeMap::new,
                Collectors.collectingAndThen(
                    mapping(CallError::gpu, toCollection(TreeSet::new)),
                    gpus ->
                        gpus.stream().map(gpu -> Integer.toString(gpu)).collect(joining(", ")))));
  }

  /** The calls that failed in the pass, in one line. */
  public static String of(Snapshot snapshot) {
    return String.join(", ", gpusByCall(in(snapshot)).keySet());
  }

  private static String name(CallError error) {
    return (error.call().isEmpty() ? "a call" : error.call()) + " (" + error.code() + ")";
  }
}

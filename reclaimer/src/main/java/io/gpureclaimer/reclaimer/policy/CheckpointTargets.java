package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The checkpoint hooks that an administrator allows. No other URL is ever called.
 *
 * @param prefixes a URL with the same scheme, host and port and a path below is allowed
 * @param suffixes of a host, with a dot at the start; before it comes the namespace of the workload
 */
public record CheckpointTargets(List<CheckpointUrl> prefixes, List<String> suffixes) {
  /** Allows no hook. */
  public static final CheckpointTargets NONE = new CheckpointTargets(List.of(), List.of());

  private static final Pattern SUFFIX = Pattern.compile("([.][a-z0-9-]+)*[.][a-z][a-z0-9-]*");

  public CheckpointTargets {
    prefixes = List.copyOf(prefixes);
    suffixes = List.copyOf(suffixes);
  }

  /**
   * The hooks that these entries allow.
   *
   * @throws IllegalArgumentException if an entry is neither a URL nor a suffix of hosts
   */
  public static CheckpointTargets of(List<String> entries) {
    List<CheckpointUrl> prefixes = new ArrayList<>();
    List<String> suffixes = new ArrayList<>();
    for (String entry : entries) {
      if (SUFFIX.matcher(entry).matches()) {
        suffixes.add(entry);
      } else {
        prefixes.add(
            CheckpointUrl.parse(entry)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "an allowed checkpoint hook must be a URL like"
                                + " https://hooks.example.com/gpu/ or a suffix of hosts like"
                                + " .svc.cluster.local, was "
                                + entry)));
      }
    }
    return new CheckpointTargets(prefixes, suffixes);
  }

  /** What {@link #of} makes the same from. */
  public List<String> entries() {
    return Stream.concat(prefixes.stream().map(CheckpointUrl::toString), suffixes.stream())
        .toList();
  }

  /** Whether a workload of this namespace may have this hook called. */
  public boolean allows(CheckpointUrl url, String namespace) {
    return suffixes.stream().anyMatch(suffix -> url.host().endsWith("." + namespace + suffix))
        || prefixes.stream().anyMatch(prefix -> isBelow(prefix, url));
  }

  private static boolean isBelow(CheckpointUrl prefix, CheckpointUrl url) {
    String folder = prefix.path().endsWith("/") ? prefix.path() : prefix.path() + "/";
    return url.scheme().equals(prefix.scheme())
        && url.host().equals(prefix.host())
        && url.port() == prefix.port()
        && (url.path().equals(prefix.path()) || url.path().startsWith(folder));
  }

  /** The allowed hooks of a workload: of each pod, the nearest that it or an owner of it names. */
  public List<CheckpointUrl> hooksOf(Workload workload) {
    return workload.pods().stream()
        .flatMap(pod -> nearest(pod, workload).stream())
        .filter(url -> allows(url, workload.namespace()))
        .distinct()
        .toList();
  }

  private static Optional<CheckpointUrl> nearest(PodView pod, Workload workload) {
    Stream<Map<String, String>> near =
        Stream.concat(
            Stream.of(pod.annotations()),
            workload.ownersOf(pod).stream().map(OwnerView::annotations));
    return near.flatMap(
            written -> Optional.ofNullable(written.get(Annotations.CHECKPOINT_URL)).stream())
        .findFirst()
        .flatMap(CheckpointUrl::parse);
  }

  /** The remark on a hook that is not called, because no entry allows it. */
  Optional<Remark> ignored(AnnotationValues annotations, String namespace) {
    return annotations
        .of(PolicyKeys.CHECKPOINT_URL)
        .filter(url -> !allows(url, namespace))
        .map(
            url ->
                new Remark(
                    annotations.object(),
                    Annotations.CHECKPOINT_URL,
                    url.toString(),
                    "is ignored, because the administrator does not allow it (checkpoint.allowed)"));
  }
}

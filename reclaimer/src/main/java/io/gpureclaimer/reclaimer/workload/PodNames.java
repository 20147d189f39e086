package io.gpureclaimer.reclaimer.workload;

import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which names the pods of a workload have had, by those that they have now. Controllers make them
 * of the owner's name and of random or counted parts.
 */
public final class PodNames {
  /** The characters that Kubernetes makes random names of. */
  private static final String RANDOM = "[bcdfghjklmnpqrstvwxz2456789]";

  private PodNames() {}

  /** The name of the owner, or of the single pod: each of its pods has a name that begins so. */
  public static String prefix(Workload workload) {
    return workload
        .owner()
        .map(owner -> owner.name())
        .filter(name -> workload.pods().stream().allMatch(pod -> isBelow(pod, name)))
        .orElse("");
  }

  /** Regular expressions of RE2, each for whole names; in order and without repetitions. */
  public static List<String> patterns(Workload workload) {
    String prefix = prefix(workload);
    return workload.pods().stream()
        .map(pod -> literal(prefix) + pattern(pod.ref().name().substring(prefix.length()), prefix))
        .distinct()
        .sorted()
        .toList();
  }

  private static boolean isBelow(PodView pod, String owner) {
    return pod.ref().name().startsWith(owner + "-");
  }

  /** A pod without an owner keeps its name. */
  private static String pattern(String rest, String prefix) {
    return prefix.isEmpty()
        ? literal(rest)
        : Arrays.stream(rest.split("-", -1)).map(PodNames::part).collect(Collectors.joining("-"));
  }

  private static String part(String part) {
    if (part.matches("[0-9]+")) {
      return "[0-9]+";
    }
    if (part.matches(RANDOM + "{5}")) {
      return "[a-z0-9]{5}";
    }
    return part.matches(RANDOM + "{6,10}") ? "[a-z0-9]{6,10}" : literal(part);
  }

  private static String literal(String text) {
    return text.replace(".", "\\.");
  }
}

package io.gpureclaimer.exporter.attribution.process;

import io.gpureclaimer.exporter.attribution.process.ProcessLocation.ContainerRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a {@code /proc/…/cgroup}: lines of {@code number:controllers:path}, one for version
 * 2, one for each hierarchy of version 1. In a path, the pod's folder is followed by that of the
 * container:
 *
 * <pre>
 * /kubepods/burstable/pod0f3c…/8a9b…                                            (cgroupfs)
 * /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0f3c….slice/crio-8a9b….scope
 * /system.slice/containerd.service/kubepods-pod0f3c….slice:cri-containerd:8a9b…
 * /../../pod0f3c…/8a9b…                              (seen from a cgroup namespace)
 * </pre>
 *
 * <p>Other parts of the path are further nesting, such as kind's, and have no meaning here.
 */
final class CgroupText {
  private static final String UID =
      "(?<uid>\\p{XDigit}{8}(?:[-_]\\p{XDigit}{4}){3}[-_]\\p{XDigit}{12}|\\p{XDigit}{32})";
  private static final String SLICE =
      "(?:[a-zA-Z0-9]+-)*kubepods(?:-burstable|-besteffort)?-pod" + UID + "\\.slice";
  private static final String CONTAINER = "(?<container>\\p{XDigit}{64})";
  private static final String RUNTIME = "(?:cri-containerd|crio|docker)";

  private static final Pattern POD = Pattern.compile("pod" + UID);
  private static final Pattern POD_SLICE = Pattern.compile(SLICE + "(?::.*)?");
  private static final Pattern BOTH = Pattern.compile(SLICE + ":" + RUNTIME + ":" + CONTAINER);
  private static final Pattern OF_CONTAINER =
      Pattern.compile("(?:" + RUNTIME + "-)?" + CONTAINER + "(?:\\.scope)?");

  private CgroupText() {}

  /**
   * Every pod that the process is in, the outermost first, with the container where it is known:
   * one that runs in a container of a pod may itself be of a pod, of a cluster within.
   */
  static List<ContainerRef> places(String text) {
    var containers = new LinkedHashMap<String, Set<String>>();
    text.lines()
        .map(line -> line.split(":", 3))
        .filter(parts -> parts.length == 3)
        .forEach(parts -> addAll(parts[2], containers));
    var found = new ArrayList<ContainerRef>();
    containers.forEach(
        (pod, those) -> {
          those.forEach(container -> found.add(new ContainerRef(pod, container)));
          if (those.isEmpty()) {
            found.add(new ContainerRef(pod, null));
          }
        });
    return List.copyOf(found);
  }

  private static void addAll(String path, Map<String, Set<String>> into) {
    var folders = List.of(path.split("/", -1));
    for (int i = 0; i < folders.size(); i++) {
      Matcher both = BOTH.matcher(folders.get(i));
      if (both.matches()) {
        pod(both, into).add(both.group("container"));
      } else {
        addPair(folders.get(i), i + 1 < folders.size() ? folders.get(i + 1) : "", into);
      }
    }
  }

  private static void addPair(String outer, String inner, Map<String, Set<String>> into) {
    Matcher container = OF_CONTAINER.matcher(inner);
    for (Pattern spelling : List.of(POD, POD_SLICE)) {
      Matcher pod = spelling.matcher(outer);
      if (pod.matches()) {
        var containers = pod(pod, into);
        if (container.matches()) {
          containers.add(container.group("container"));
        }
      }
    }
  }

  private static Set<String> pod(Matcher spelling, Map<String, Set<String>> containers) {
    return containers.computeIfAbsent(
        dashed(spelling.group("uid")), absent -> new LinkedHashSet<>());
  }

  /** systemd takes dashes for separators, so that runtimes write underscores. */
  private static String dashed(String uid) {
    return uid.replace('_', '-');
  }
}

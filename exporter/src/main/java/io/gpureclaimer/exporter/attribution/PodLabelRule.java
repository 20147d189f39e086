package io.gpureclaimer.exporter.attribution;

import com.google.re2j.Pattern;
import io.gpureclaimer.common.vocabulary.OwnLabels;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Selects the pod labels that are served, and their names.
 *
 * <p>What stands in a key and is not allowed in a name becomes {@code _}. A name that is ours, or
 * may become so by the counters file, is put behind {@code pod_label_}. If two keys come to the
 * same name, the first in order of bytes has it. Names in order of bytes are served until the limit
 * is reached. So the same labels are always served the same way. A label without a value is not
 * served: to Prometheus it is the same as none.
 */
public final class PodLabelRule {
  private static final String OURS_PREFIX = "pod_label_";
  private static final java.util.regex.Pattern NOT_OF_A_NAME =
      java.util.regex.Pattern.compile("[^a-zA-Z0-9_]");

  private final List<Pattern> allowed;
  private final int limit;

  /**
   * @param allowed which keys are served, as they are in Kubernetes: those in which one of these is
   *     found; all, if there is none. Of RE2, as with dcgm-exporter: {@code [[:alpha:]]} is another
   *     thing to Java
   * @param limit how many labels a pod may have at most
   */
  public PodLabelRule(List<Pattern> allowed, int limit) {
    this.allowed = List.copyOf(allowed);
    this.limit = limit;
  }

  /** What is served of these. */
  public ServedPodLabels of(Map<String, String> labels) {
    var named = new TreeMap<String, Label>();
    int asked = 0;
    for (var label : new TreeMap<>(labels).entrySet()) {
      if (!label.getValue().isEmpty() && isAllowed(label.getKey())) {
        asked++;
        String name = name(label.getKey());
        named.putIfAbsent(name, new Label(name, label.getValue()));
      }
    }
    var served = new ArrayList<>(named.values());
    if (served.size() > limit) {
      served.subList(limit, served.size()).clear();
    }
    return new ServedPodLabels(served, asked - served.size());
  }

  private boolean isAllowed(String key) {
    return allowed.isEmpty() || allowed.stream().anyMatch(pattern -> pattern.matcher(key).find());
  }

  private static String name(String key) {
    String name = NOT_OF_A_NAME.matcher(key).replaceAll("_");
    if (name.isEmpty() || Character.isDigit(name.charAt(0)) || name.startsWith("__")) {
      return OURS_PREFIX + name;
    }
    return OwnLabels.contain(name) ? OURS_PREFIX + name : name;
  }
}

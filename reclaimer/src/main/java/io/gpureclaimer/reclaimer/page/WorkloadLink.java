package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A workload by name, and the address of its page. */
public record WorkloadLink(String namespace, String kind, String name) {

  static WorkloadLink of(Workload workload) {
    return new WorkloadLink(workload.namespace(), workload.kind(), workload.name());
  }

  static WorkloadLink of(ObjectRef owner) {
    return new WorkloadLink(owner.namespace(), owner.kind(), owner.name());
  }

  /** Path of its page. */
  public String path() {
    return Pages.WORKLOADS
        + "/"
        + encoded(namespace)
        + "/"
        + encoded(kind.toLowerCase(Locale.ROOT))
        + "/"
        + encoded(name);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}

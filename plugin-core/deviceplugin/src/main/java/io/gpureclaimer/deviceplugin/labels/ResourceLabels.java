package io.gpureclaimer.deviceplugin.labels;

/** The four labels that every resource has: product, count, replicas, sharing strategy. */
final class ResourceLabels {
  private static final String SHARED = "-SHARED";

  private ResourceLabels() {}

  static void write(LabelBuilder resource, String product, int count, ResourceSharing sharing) {
    boolean named = sharing.isShared() && !sharing.renamed();
    resource
        .putText("product", named ? product + SHARED : product)
        .put("count", count)
        .put("replicas", sharing.replicas())
        .put("sharing-strategy", sharing.text());
  }

  /** For devices that are there, and not offered. */
  static void withoutReplicas(LabelBuilder resource, String product, int count) {
    write(resource, product, count, ResourceSharing.NOT_SHARED);
    resource.put("replicas", 0);
  }
}

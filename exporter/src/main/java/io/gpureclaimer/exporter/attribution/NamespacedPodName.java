package io.gpureclaimer.exporter.attribution;

/** How the API server calls a pod; at one time there is one of that name at most. */
public record NamespacedPodName(String namespace, String name) {}

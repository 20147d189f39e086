package io.gpureclaimer.exporter.attribution;

/** Namespace and name of a pod; unique at one time. */
public record NamespacedPodName(String namespace, String name) {}

package io.gpureclaimer.deviceplugin.labels.kubernetes;

/**
 * An object of the same namespace with which a NodeFeature goes: usually our own pod.
 *
 * @param apiVersion such as {@code v1}
 * @param kind such as {@code Pod}
 * @param name of the object
 * @param uid of the object
 */
public record FeatureOwner(String apiVersion, String kind, String name, String uid) {}

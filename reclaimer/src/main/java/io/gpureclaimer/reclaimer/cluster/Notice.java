package io.gpureclaimer.reclaimer.cluster;

/**
 * What people read on their pod.
 *
 * @param reason CamelCase, stable, for machines
 * @param message one or two sentences for people
 * @param warning whether it asks for attention
 */
public record Notice(String reason, String message, boolean warning) {}

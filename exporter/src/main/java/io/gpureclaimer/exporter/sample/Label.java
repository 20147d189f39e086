package io.gpureclaimer.exporter.sample;

/**
 * A label that one reading bears besides those of its device.
 *
 * @param name in the characters that Prometheus allows
 * @param value any text
 */
public record Label(String name, String value) {}

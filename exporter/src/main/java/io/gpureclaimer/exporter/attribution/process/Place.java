package io.gpureclaimer.exporter.attribution.process;

/**
 * A container, as the runtime that made it named it to the kernel.
 *
 * @param podUid with dashes; of a static pod, which has a hash instead, without
 * @param containerId the runtime's own, without the runtime's name
 */
public record Place(String podUid, String containerId) {}

package io.gpureclaimer.exporter.sample;

import java.util.List;

/**
 * Served labels of a pod.
 *
 * @param served in order of name, each name once
 * @param dropped how many more would have been, were there room, or another name for them
 */
public record ServedPodLabels(List<Label> served, int dropped) {
  /** Of a pod without labels, or when labels are not wanted. */
  public static final ServedPodLabels NONE = new ServedPodLabels(List.of(), 0);

  public ServedPodLabels {
    served = List.copyOf(served);
  }
}

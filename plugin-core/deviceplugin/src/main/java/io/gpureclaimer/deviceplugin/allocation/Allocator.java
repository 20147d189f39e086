package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;
import java.util.Set;

/** Answers allocation requests of the kubelet for one resource. For any thread. */
public interface Allocator {

  /**
   * Which devices fit best.
   *
   * <p>Never fails: even an empty answer lets the kubelet choose, where an error would cost the pod
   * its admission.
   *
   * @param available ids that may be chosen, those in {@code required} among them
   * @param required ids that have to be chosen
   * @param size how many in all
   * @return {@code size} ids, or none if there is no such choice; the same for the same question
   */
  List<String> prefer(Set<String> available, Set<String> required, int size);

  /**
   * What a container needs to use these devices.
   *
   * @param ids as offered; each at most once
   */
  Allocation allocate(List<String> ids);
}

package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.List;

/**
 * A pod, and the claims that say what else it holds.
 *
 * @param view what it says itself
 * @param claims its resource claims, of which {@code view} knows nothing
 */
public record KnownPod(PodView view, List<ClaimReference> claims) {
  public KnownPod {
    claims = List.copyOf(claims);
  }
}

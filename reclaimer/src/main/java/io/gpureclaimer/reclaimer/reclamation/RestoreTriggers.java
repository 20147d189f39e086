package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import java.time.Instant;
import java.util.Optional;

/** Decides when an owner is to be restored. */
public final class RestoreTriggers {

  /**
   * Why the owner of a record is to be restored.
   *
   * @param owner as it is now; empty if it cannot be read
   */
  Optional<String> of(
      Reclamation record, Optional<OwnerView> owner, ClusterView cluster, Instant now) {
    if (record.request().wantsRestore(now)) {
      return Optional.of("requested in the record");
    }
    return owner.flatMap(RestoreTriggers::annotation);
  }

  private static Optional<String> annotation(OwnerView owner) {
    if ("true".equals(owner.annotations().get(Annotations.EXCLUDE))) {
      return Optional.of("the owner has the annotation " + Annotations.EXCLUDE);
    }
    return Optional.empty();
  }
}

package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Current records of actions in the API server. Nothing is watched, so that the rights on one
 * namespace are enough.
 *
 * <p>Every method throws {@link ClusterUnreachable} when the API server does not answer.
 */
public interface RecordAccess {

  /**
   * The records of one namespace, or of all.
   *
   * @throws ClusterUnreachable also if the caller may not read them, or the kind is not installed
   */
  List<Reclamation> records(Optional<String> namespace);

  /**
   * Asks for the restoration of an owner, as people do: sets {@code spec.restore} of its record.
   *
   * @param dryRun whether the API server only says what it would do
   */
  ActionResult requestRestore(Reclamation record, boolean dryRun);
}

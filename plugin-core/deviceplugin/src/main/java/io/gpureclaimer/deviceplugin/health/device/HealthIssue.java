package io.gpureclaimer.deviceplugin.health.device;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A health issue of a GPU or of one of its instances.
 *
 * @param reason in a word
 * @param xid the error's number; null unless it is one
 * @param text for people
 * @param since when it was first heard or seen
 * @param cure what ends it
 * @param resetSeen whether the GPU has been restarted since
 * @param settled whether a survey has come after it: of what is between two surveys, the order is
 *     not known
 * @param instance the GPU instance; null if it is the whole GPU's
 * @param mig a UUID of a MIG device in that instance, by which to know it again; null if unknown
 */
public record HealthIssue(
    UnhealthyReason reason,
    @Nullable Integer xid,
    String text,
    Instant since,
    RecoveryCondition cure,
    boolean resetSeen,
    boolean settled,
    @Nullable Integer instance,
    @Nullable String mig) {

  /** Just heard or seen. */
  static HealthIssue of(
      UnhealthyReason reason, String text, Instant since, RecoveryCondition cure) {
    return new HealthIssue(reason, null, text, since, cure, false, false, null, null);
  }

  HealthIssue ofXid(int code) {
    return new HealthIssue(reason, code, text, since, cure, resetSeen, settled, instance, mig);
  }

  HealthIssue in(@Nullable Integer gpuInstance, @Nullable String migUuid) {
    return new HealthIssue(
        reason, xid, text, since, cure, resetSeen, settled, gpuInstance, migUuid);
  }

  HealthIssue since(Instant earlier) {
    return new HealthIssue(reason, xid, text, earlier, cure, resetSeen, settled, instance, mig);
  }

  HealthIssue afterReset() {
    return new HealthIssue(reason, xid, text, since, cure, true, settled, instance, mig);
  }

  HealthIssue afterSurvey() {
    return new HealthIssue(reason, xid, text, since, cure, resetSeen, true, instance, mig);
  }

  /** Whether it is the same thing once more. */
  boolean isAgain(HealthIssue other) {
    return reason == other.reason
        && Objects.equals(xid, other.xid)
        && Objects.equals(instance, other.instance);
  }

  /**
   * Where it is now that MIG has divided the GPU so. If its instance no longer exists, the issue
   * may be in any part of the GPU.
   *
   * @param division the MIG devices of each GPU instance
   */
  HealthIssue within(Map<Integer, Set<String>> division) {
    if (instance == null) {
      return this;
    }
    Set<String> devices = division.getOrDefault(instance, Set.of());
    if (mig == null) {
      return devices.stream().sorted().findFirst().map(one -> in(instance, one)).orElse(whole());
    }
    return devices.contains(mig) ? this : whole();
  }

  /** Whether it keeps the instance with that id, or with null the whole GPU, from being used. */
  boolean hits(@Nullable Integer gpuInstance) {
    return instance == null || gpuInstance == null || instance.equals(gpuInstance);
  }

  private HealthIssue whole() {
    return in(null, null);
  }
}

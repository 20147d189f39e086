package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.core.vocabulary.Annotations;
import java.util.List;

/** Which annotations under our prefix mean something: what people write, and what we write. */
final class KnownKeys {

  static final List<String> POLICY =
      List.of(
          Annotations.MODE, Annotations.IDLE_AFTER, Annotations.WARN_BEFORE, Annotations.EXCLUDE);

  static final List<String> STATE =
      List.of(
          Annotations.WARNED_AT,
          Annotations.IDLE_SINCE,
          Annotations.ACT_NOT_BEFORE,
          Annotations.ACTION_ID);

  private KnownKeys() {}
}

package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import java.util.List;

/** Which annotations under our prefix mean something: what people write, and what we write. */
final class KnownKeys {

  static final List<String> POLICY = PolicyKeys.ALL.stream().<String>map(PolicyKey::name).toList();

  static final List<String> STATE =
      List.of(
          Annotations.WARNED_AT,
          Annotations.IDLE_SINCE,
          Annotations.ACT_NOT_BEFORE,
          Annotations.WARNED_MODE,
          Annotations.ACTION_ID);

  private KnownKeys() {}
}

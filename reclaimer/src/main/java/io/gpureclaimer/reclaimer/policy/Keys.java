package io.gpureclaimer.reclaimer.policy;

import java.util.List;

/** The annotations of this project: what people write, and what we write. */
final class Keys {
  static final String PREFIX = "gpu-reclaimer.io/";

  static final String MODE = PREFIX + "mode";
  static final String IDLE_AFTER = PREFIX + "idle-after";
  static final String WARN_BEFORE = PREFIX + "warn-before";
  static final String EXCLUDE = PREFIX + "exclude";

  static final String WARNED_AT = PREFIX + "warned-at";
  static final String IDLE_SINCE = PREFIX + "idle-since";
  static final String ACT_NOT_BEFORE = PREFIX + "act-not-before";
  static final String ACTION_ID = PREFIX + "action-id";

  static final List<String> POLICY = List.of(MODE, IDLE_AFTER, WARN_BEFORE, EXCLUDE);
  static final List<String> STATE = List.of(WARNED_AT, IDLE_SINCE, ACT_NOT_BEFORE, ACTION_ID);

  private Keys() {}
}

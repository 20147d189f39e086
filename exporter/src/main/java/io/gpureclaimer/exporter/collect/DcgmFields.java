package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.vocabulary.DcgmField;

/** Fields by name, for the tables. */
public final class DcgmFields {
  private static final String PREFIX = "DCGM_FI_";

  private DcgmFields() {}

  /** The field of that name, which a table spells without its prefix. */
  public static DcgmField field(String name) {
    return DcgmField.named(PREFIX + name)
        .orElseThrow(() -> new IllegalStateException("the catalogue has no " + PREFIX + name));
  }
}

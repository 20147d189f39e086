package io.gpureclaimer.reclaimer.faults;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A set of labels that is compared often, so it knows its hash. */
final class LabelSet {
  private final SortedMap<String, String> all;
  private final int hash;

  private LabelSet(SortedMap<String, String> all) {
    this.all = Collections.unmodifiableSortedMap(all);
    this.hash = all.hashCode();
  }

  static LabelSet of(Map<String, String> all) {
    return new LabelSet(new TreeMap<>(all));
  }

  LabelSet and(Map<String, String> more) {
    SortedMap<String, String> both = new TreeMap<>(all);
    both.putAll(more);
    return new LabelSet(both);
  }

  LabelSet without(String label) {
    SortedMap<String, String> fewer = new TreeMap<>(all);
    fewer.remove(label);
    return new LabelSet(fewer);
  }

  SortedMap<String, String> all() {
    return all;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof LabelSet labels && hash == labels.hash && all.equals(labels.all));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}

package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that this program can tell of a device. */
public final class Told {
  private Told() {}

  /** What the collectors tell, and what a device says of itself in words. */
  public static Set<DcgmField> by(Collection<Collector> collectors) {
    return Stream.concat(
            collectors.stream().flatMap(collector -> collector.tells().stream()),
            Texts.tells().stream())
        .collect(Collectors.toUnmodifiableSet());
  }
}

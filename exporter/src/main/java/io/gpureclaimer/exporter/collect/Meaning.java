package io.gpureclaimer.exporter.collect;

import java.util.OptionalDouble;

/** What a raw number of the driver is in the unit of its field; empty if it means nothing. */
public interface Meaning<T> {
  OptionalDouble of(T raw);
}

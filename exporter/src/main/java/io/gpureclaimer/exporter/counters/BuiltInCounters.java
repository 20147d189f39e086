package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.files.ReloadingFile.Refresh;

/**
 * A file that is compiled in; it never changes.
 *
 * @param vocabulary whose names it uses
 */
public record BuiltInCounters(MetricNaming vocabulary) implements CountersSource {

  @Override
  public String name() {
    return "built-in counters " + vocabulary.text();
  }

  @Override
  public Refresh<String> refresh() {
    return new Refresh.Unchanged<>();
  }

  @Override
  public Refresh<String> reload() {
    return new Refresh.Loaded<>(vocabulary.builtIn());
  }
}

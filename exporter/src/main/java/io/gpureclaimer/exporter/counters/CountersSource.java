package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.files.ReloadingFile.Refresh;

/** Source of the text of a counters file. */
public interface CountersSource {

  /** Name of the source in messages. */
  String name();

  /**
   * The text, if it has changed and has been the same for two calls. A source that is expensive to
   * read is never read for that, and reports that nothing has changed.
   */
  Refresh<String> refresh();

  /** The text, whether or not it has changed. */
  Refresh<String> reload();
}

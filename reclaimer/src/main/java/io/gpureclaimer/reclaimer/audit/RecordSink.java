package io.gpureclaimer.reclaimer.audit;

import java.util.List;

/** Where records of decisions go. A sink that cannot take them says so once and takes no harm. */
@FunctionalInterface
public interface RecordSink {

  /** Takes some records, one line each, without line feeds. */
  void write(List<String> lines);
}

package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.exporter.sample.PassReport;
import java.util.HashMap;
import java.util.Map;

/** How often calls failed in a pass, by return code. */
public final class ErrorCodes {
  private ErrorCodes() {}

  public static Map<String, Integer> of(PassReport report) {
    var counts = new HashMap<String, Integer>();
    report.errors().forEach((error, count) -> counts.merge(error.code(), count, Integer::sum));
    return counts;
  }
}

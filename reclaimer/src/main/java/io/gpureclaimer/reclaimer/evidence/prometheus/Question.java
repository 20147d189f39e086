package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * One question as it is sent.
 *
 * @param uri where to
 * @param form its parameters, encoded
 */
record Question(URI uri, String form) {

  /** For Thanos, which else leaves out what is down; others do not know it, and do not mind. */
  private static final String ALL_OR_NOTHING = "&partial_response=false&dedup=true";

  /**
   * For VictoriaMetrics, which else answers about half a minute ago and says that it is now, and
   * about looks of the past at other times than those that are asked for.
   */
  private static final String FRESH = "&nocache=1";

  /** For Thanos too, which else may answer with averages of hours about what is long ago. */
  private static final String RAW = "&max_source_resolution=0s";

  /** About this moment. */
  static Question now(PrometheusConnection to, String query) {
    return new Question(to.queryUri(), form(query) + FRESH);
  }

  /** About each look of a slice. */
  static Question past(PrometheusConnection to, String query, Slice slice) {
    String range =
        "&start="
            + slice.first().getEpochSecond()
            + "&end="
            + slice.last().getEpochSecond()
            + "&step="
            + slice.step().toSeconds();
    return new Question(to.rangeUri(), form(query) + range + RAW + FRESH);
  }

  private static String form(String query) {
    return "query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + ALL_OR_NOTHING;
  }
}

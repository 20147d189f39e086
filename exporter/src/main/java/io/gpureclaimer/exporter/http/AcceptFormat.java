package io.gpureclaimer.exporter.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** In which format a client would rather have an answer. */
final class AcceptFormat {
  private static final String OPENMETRICS = "application/openmetrics-text";
  private static final String TEXT = "text/plain";
  private static final Pattern WEIGHT = Pattern.compile("q=(1(\\.0*)?|0(\\.\\d*)?)");
  private static final Pattern OTHER_VERSION = Pattern.compile("version=(?!1\\.0\\.0$).*");

  private AcceptFormat() {}

  /** It takes OpenMetrics 1.0, and likes it no less than the text format. */
  static boolean prefersOpenMetrics(List<String> headers) {
    double open = weight(headers, OPENMETRICS);
    return open > 0 && open >= weight(headers, TEXT);
  }

  private static double weight(List<String> headers, String type) {
    return headers.stream()
        .flatMap(header -> Arrays.stream(header.toLowerCase(Locale.ROOT).split(",", -1)))
        .map(range -> range.replaceAll("\\s", "").split(";", -1))
        .filter(parts -> parts[0].equals(type))
        .filter(parts -> type.equals(TEXT) || !isOfAnotherVersion(parts))
        .mapToDouble(AcceptFormat::weight)
        .max()
        .orElse(0);
  }

  private static boolean isOfAnotherVersion(String[] parts) {
    return Arrays.stream(parts).anyMatch(part -> OTHER_VERSION.matcher(part).matches());
  }

  private static double weight(String[] parts) {
    return Arrays.stream(parts)
        .map(WEIGHT::matcher)
        .filter(Matcher::matches)
        .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
        .findFirst()
        .orElse(1);
  }
}

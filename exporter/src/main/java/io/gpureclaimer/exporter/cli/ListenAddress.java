package io.gpureclaimer.exporter.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen.
 *
 * @param host name or address, without brackets; empty for all addresses of the machine
 * @param port 0 for any free one
 */
record ListenAddress(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+(?:%\\w+)?)]|([^:\\[\\]\\s]*)):(\\d{1,5})");

  private static final int LARGEST_PORT = 65_535;

  static ListenAddress of(Setting setting) {
    Matcher parts = FORM.matcher(setting.value());
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > LARGEST_PORT) {
      throw setting.bad("must be host:port, [v6-address]:port or :port");
    }
    String host = parts.group(1) != null ? parts.group(1) : parts.group(2);
    return new ListenAddress(host, Integer.parseInt(parts.group(3)));
  }
}

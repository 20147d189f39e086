package io.gpureclaimer.common.program;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen.
 *
 * @param host name or address, without brackets; empty for all addresses of the machine
 * @param port 0 for any free one
 */
public record ListenAddress(String host, int port) {
  public static final String RULE = "must be host:port, [v6-address]:port or :port";

  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+(?:%\\w+)?)]|([^:\\[\\]\\s]*)):(\\d{1,5})");
  private static final int LARGEST_PORT = 65_535;

  /**
   * Reads it as it is written on a command line.
   *
   * @throws IllegalArgumentException with the rule as its message
   */
  public static ListenAddress of(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > LARGEST_PORT) {
      throw new IllegalArgumentException(RULE);
    }
    String host = parts.group(1) != null ? parts.group(1) : parts.group(2);
    return new ListenAddress(host, Integer.parseInt(parts.group(3)));
  }

  /** The same as properties of the server. */
  public Map<String, Object> properties() {
    var properties = new HashMap<String, Object>();
    properties.put("micronaut.server.port", port);
    if (!host.isEmpty()) {
      properties.put("micronaut.server.host", host);
    }
    return properties;
  }
}

package io.gpureclaimer.reclaimer.policy;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * URL of a checkpoint hook. Its grammar is so narrow that all readers find the same host and path
 * in it: no user, query, fragment, escape or {@code ..}.
 *
 * @param port also where the text names none
 * @param path begins with a slash
 */
public record CheckpointUrl(String scheme, String host, int port, String path) {
  static final String RULE =
      "must be a URL like http://saver.research.svc.cluster.local:8080/checkpoint";

  private static final int LONGEST = 500;
  private static final String LABEL = "([a-z0-9-]{0,61}[a-z0-9])?";
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})";
  private static final String PORT =
      "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";

  /** The same as in the admission policy. */
  private static final Pattern TEXT =
      Pattern.compile(
          "(?<scheme>https?)://(?<host>([a-z0-9]"
              + LABEL
              + "[.])*[a-z]"
              + LABEL
              + "|("
              + BYTE
              + "[.]){3}"
              + BYTE
              + ")(:(?<port>"
              + PORT
              + "))?(?<path>/[A-Za-z0-9._~/-]*)?");

  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /** The URL that the text is; nothing where it is none. */
  static Optional<CheckpointUrl> parse(String text) {
    Matcher url = TEXT.matcher(text);
    if (text.length() > LONGEST || text.contains("..") || !url.matches()) {
      return Optional.empty();
    }
    String scheme = url.group("scheme");
    int usual = scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    return Optional.of(
        new CheckpointUrl(
            scheme,
            url.group("host"),
            Optional.ofNullable(url.group("port")).map(Integer::parseInt).orElse(usual),
            Optional.ofNullable(url.group("path")).orElse("/")));
  }

  /** Whether the host is an IP address, and no name. */
  public boolean namesAddress() {
    return ADDRESS.matcher(host).matches();
  }

  @Override
  public String toString() {
    return scheme + "://" + host + ":" + port + path;
  }
}

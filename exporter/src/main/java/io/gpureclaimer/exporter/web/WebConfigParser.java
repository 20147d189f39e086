package io.gpureclaimer.exporter.web;

import io.gpureclaimer.exporter.web.WebSettings.PemFile;
import io.gpureclaimer.exporter.web.WebSettings.Tls;
import java.io.StringReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Parses web configuration files in the syntax of Prometheus's exporter-toolkit. */
final class WebConfigParser {
  static final int LARGEST_BYTES = 256 * 1024;

  private static final Set<String> ROOT =
      Set.of("tls_server_config", "http_server_config", "basic_auth_users");
  private static final Set<String> HTTP = Set.of("http2", "headers");
  private static final Set<String> TLS =
      Set.of(
          "cert_file",
          "key_file",
          "client_ca_file",
          "client_auth_type",
          "min_version",
          "max_version",
          "prefer_server_cipher_suites");

  /** Keys of exporter-toolkit that are refused, because ignoring them could open a door. */
  private static final Map<String, String> UNSUPPORTED_TLS =
      Map.of(
          "cert", "name a file with cert_file",
          "key", "name a file with key_file",
          "client_ca", "name a file with client_ca_file",
          "client_allowed_sans", "restrict clients by the authority in client_ca_file",
          "cipher_suites", "the JVM's own cipher suites are used",
          "curve_preferences", "the JVM's own curves are used");

  private static final Map<String, String> UNSUPPORTED_ROOT =
      Map.of("rate_limit", "limit requests in front of the agent");

  /** Allowed headers and their values. */
  private static final Map<String, Pattern> HEADERS =
      Map.of(
          "Content-Security-Policy", Pattern.compile("[\\x20-\\x7e]*"),
          "X-Frame-Options", Pattern.compile("(?i:deny|sameorigin)?"),
          "X-Content-Type-Options", Pattern.compile("(?i:nosniff)?"),
          "X-XSS-Protection", Pattern.compile("[\\x20-\\x7e]*"),
          "Strict-Transport-Security", Pattern.compile("[\\x20-\\x7e]*"));

  private static final Pattern BCRYPT =
      Pattern.compile("\\$2[abxy]\\$(0[4-9]|[12]\\d|3[01])\\$[./A-Za-z0-9]{53}");

  private static final List<String> VERSIONS = List.of("TLS10", "TLS11", "TLS12", "TLS13");

  private WebConfigParser() {}

  /**
   * Parses a file.
   *
   * @param folder to which paths in the file are relative
   */
  static WebSettings parse(String text, Path folder) throws InvalidWebConfig {
    var root = root(text).without(UNSUPPORTED_ROOT).withOnly(ROOT);
    var http = root.section("http_server_config").withOnly(HTTP);
    // Either value: true is exporter-toolkit's default, and clients negotiate HTTP/1.1 all the
    // same.
    var _ = http.truth("http2", true);
    return new WebSettings(
        tls(root.section("tls_server_config"), folder),
        headers(http.section("headers")),
        users(root.section("basic_auth_users")));
  }

  private static YamlSection root(String text) throws InvalidWebConfig {
    var options = new LoaderOptions();
    options.setCodePointLimit(LARGEST_BYTES);
    try {
      var yaml = new Yaml(new SafeConstructor(options));
      return YamlSection.whole(Optional.ofNullable(yaml.compose(new StringReader(text))));
    } catch (MarkedYAMLException e) {
      var mark = e.getProblemMark();
      String line = mark == null ? "" : "line " + (mark.getLine() + 1) + ": ";
      throw new InvalidWebConfig(line + "not YAML: " + e.getProblem());
    } catch (YAMLException e) {
      throw new InvalidWebConfig("not YAML: " + e.getMessage());
    }
  }

  private static Optional<Tls> tls(YamlSection tls, Path folder) throws InvalidWebConfig {
    tls.without(UNSUPPORTED_TLS).withOnly(TLS);
    if (tls.keys().isEmpty()) {
      return Optional.empty();
    }
    if (!tls.truth("prefer_server_cipher_suites", true)) {
      throw tls.bad("prefer_server_cipher_suites", "must be true or absent: no other is supported");
    }
    var protocols = protocols(tls);
    var clients = clientAuthentication(tls);
    var clientCa = pem(tls, "client_ca_file", folder);
    if (clientCa.isPresent() && clients == ClientAuthentication.NONE) {
      throw tls.bad("client_auth_type", "must ask for certificates when client_ca_file is given");
    }
    return Optional.of(
        new Tls(
            required(tls, "cert_file", folder),
            required(tls, "key_file", folder),
            clients,
            clientCa,
            protocols));
  }

  private static PemFile required(YamlSection tls, String key, Path folder)
      throws InvalidWebConfig {
    var pem = pem(tls, key, folder);
    if (pem.isEmpty()) {
      throw tls.bad(key, "must be given");
    }
    return pem.get();
  }

  private static Optional<PemFile> pem(YamlSection tls, String key, Path folder)
      throws InvalidWebConfig {
    var file = tls.text(key);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new PemFile(tls.pathOf(key), folder.resolve(file.get())));
    } catch (InvalidPathException _) {
      throw tls.bad(key, "must be a path");
    }
  }

  private static ClientAuthentication clientAuthentication(YamlSection tls)
      throws InvalidWebConfig {
    String name = tls.text("client_auth_type").orElse("NoClientCert");
    var known = ClientAuthentication.named(name);
    if (known.isEmpty()) {
      throw tls.bad(
          "client_auth_type",
          "must be one of " + String.join(", ", ClientAuthentication.names()) + ", was " + name);
    }
    return known.get();
  }

  /** TLS 1.2 and 1.3 within the bounds; the JVM speaks no older version. */
  private static List<String> protocols(YamlSection tls) throws InvalidWebConfig {
    int oldest = version(tls, "min_version", "TLS12");
    int newest = version(tls, "max_version", "TLS13");
    if (newest < VERSIONS.indexOf("TLS12")) {
      throw tls.bad("max_version", "must be TLS12 or TLS13, the versions that the JVM speaks");
    }
    if (oldest > newest) {
      throw tls.bad("min_version", "must not be newer than max_version");
    }
    return VERSIONS.subList(Math.max(oldest, VERSIONS.indexOf("TLS12")), newest + 1).stream()
        .map(version -> version.replace("TLS1", "TLSv1."))
        .toList();
  }

  private static int version(YamlSection tls, String key, String otherwise)
      throws InvalidWebConfig {
    String name = tls.text(key).orElse(otherwise);
    if (!VERSIONS.contains(name)) {
      throw tls.bad(key, "must be one of " + String.join(", ", VERSIONS) + ", was " + name);
    }
    return VERSIONS.indexOf(name);
  }

  private static Map<String, String> headers(YamlSection section) throws InvalidWebConfig {
    section.withOnly(HEADERS.keySet());
    var headers = new LinkedHashMap<String, String>();
    for (String name : section.keys()) {
      String value = section.text(name).orElse("");
      var allowed = HEADERS.get(name);
      if (allowed == null || !allowed.matcher(value).matches()) {
        throw section.bad(name, "must not be " + value);
      }
      if (!value.isEmpty()) {
        headers.put(name, value);
      }
    }
    return headers;
  }

  private static Map<String, String> users(YamlSection section) throws InvalidWebConfig {
    var users = new LinkedHashMap<String, String>();
    for (String user : section.keys()) {
      String hash = section.text(user).orElse("");
      if (!BCRYPT.matcher(hash).matches()) {
        throw section.bad(user, "must be a bcrypt hash, as htpasswd -B makes it");
      }
      users.put(user, hash);
    }
    return users;
  }
}

package io.gpureclaimer.exporter.web;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import io.gpureclaimer.exporter.web.WebSettings.ClientAuthentication;
import io.gpureclaimer.exporter.web.WebSettings.PemFile;
import io.gpureclaimer.exporter.web.WebSettings.Tls;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Parses web configuration files in the syntax of Prometheus's exporter-toolkit. */
final class WebConfigParser {
  static final int LARGEST_BYTES = 256 * 1024;

  private static final List<String> ROOT =
      List.of("basic_auth_users", "http_server_config", "tls_server_config");
  private static final List<String> HTTP = List.of("headers", "http2");
  private static final List<String> TLS =
      List.of(
          "cert_file",
          "client_auth_type",
          "client_ca_file",
          "key_file",
          "max_version",
          "min_version",
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
      new TreeMap<>(
          Map.of(
              "Content-Security-Policy", Pattern.compile("[\\x20-\\x7e]*"),
              "X-Frame-Options", Pattern.compile("(?i:deny|sameorigin)?"),
              "X-Content-Type-Options", Pattern.compile("(?i:nosniff)?"),
              "X-XSS-Protection", Pattern.compile("[\\x20-\\x7e]*"),
              "Strict-Transport-Security", Pattern.compile("[\\x20-\\x7e]*")));

  private static final Pattern BCRYPT =
      Pattern.compile("\\$2[abxy]\\$(0[4-9]|[12]\\d|3[01])\\$[./A-Za-z0-9]{53}");

  private static final List<String> VERSIONS = List.of("TLS10", "TLS11", "TLS12", "TLS13");

  private final YamlReader yaml =
      new YamlReader(
          problem -> {
            throw new InvalidWebConfig(problem);
          });

  private final Path folder;

  /** A mapping, and its values by key. */
  private record WebConfigSection(YamlValue mapping, Map<String, YamlValue> values) {

    /** An error in the value of a key, or in this section if it has no such key. */
    InvalidWebConfig invalid(String key, String rule) {
      YamlValue value = values.get(key);
      String where = value == null ? mapping.where() + '.' + key : value.where();
      return new InvalidWebConfig(where + ' ' + rule);
    }
  }

  private WebConfigParser(Path folder) {
    this.folder = folder;
  }

  /**
   * Parses a file; paths in it are relative to its folder.
   *
   * @throws InvalidWebConfig for the first mistake
   */
  static WebSettings parse(Path file, String text) {
    Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
    return new WebConfigParser(folder).parse(String.valueOf(file.getFileName()), text);
  }

  private WebSettings parse(String name, String text) {
    Optional<YamlValue> document = yaml.root(name, text);
    if (document.isEmpty()) {
      return new WebSettings(Optional.empty(), Map.of(), Map.of());
    }
    WebConfigSection root = section(document.get(), ROOT, UNSUPPORTED_ROOT);
    WebConfigSection http = section(root, "http_server_config", HTTP, Map.of());
    // Either value: true is exporter-toolkit's default, and clients negotiate HTTP/1.1 all the
    // same.
    var _ = bool(http, "http2");
    return new WebSettings(
        tls(section(root, "tls_server_config", TLS, UNSUPPORTED_TLS)),
        headers(section(http, "headers", HEADERS.keySet(), Map.of())),
        users(root));
  }

  private WebConfigSection section(
      WebConfigSection parent,
      String key,
      Collection<String> known,
      Map<String, String> unsupported) {
    YamlValue value = parent.values().get(key);
    return value == null
        ? new WebConfigSection(parent.mapping(), Map.of())
        : section(value, known, unsupported);
  }

  /**
   * A mapping with these keys only.
   *
   * @param unsupported what to do or what happens instead, by key
   */
  private WebConfigSection section(
      YamlValue value, Collection<String> known, Map<String, String> unsupported) {
    WebConfigSection section = new WebConfigSection(value, entries(value));
    for (String key : section.values().keySet()) {
      String instead = unsupported.get(key);
      if (instead != null) {
        throw section.invalid(key, "is not supported: " + instead);
      }
    }
    yaml.fields(value, known);
    return section;
  }

  /** The value itself is not in the message, because it may be a secret. */
  private Map<String, YamlValue> entries(YamlValue value) {
    if (!value.isNull() && !value.isMapping()) {
      throw new InvalidWebConfig(value.where() + " must be a mapping");
    }
    return yaml.entries(value);
  }

  /** A text that is not empty. */
  private Optional<String> text(WebConfigSection section, String key) {
    return Optional.ofNullable(section.values().get(key))
        .filter(value -> !value.isNull())
        .flatMap(value -> yaml.scalar(value, "a text"))
        .filter(text -> !text.isEmpty());
  }

  private Optional<Boolean> bool(WebConfigSection section, String key) {
    return Optional.ofNullable(section.values().get(key))
        .filter(value -> !value.isNull())
        .flatMap(yaml::bool);
  }

  /** A mapping that is there means TLS, even if its values are missing. */
  private Optional<Tls> tls(WebConfigSection tls) {
    if (tls.values().isEmpty()) {
      return Optional.empty();
    }
    if (!bool(tls, "prefer_server_cipher_suites").orElse(true)) {
      throw tls.invalid(
          "prefer_server_cipher_suites", "must be true or absent: no other is supported");
    }
    var protocols = protocols(tls);
    var clients = clientAuthentication(tls);
    var clientCa = pem(tls, "client_ca_file");
    if (clientCa.isPresent() && clients == ClientAuthentication.NONE) {
      throw tls.invalid(
          "client_auth_type", "must ask for certificates when client_ca_file is given");
    }
    return Optional.of(
        new Tls(
            required(tls, "cert_file"), required(tls, "key_file"), clients, clientCa, protocols));
  }

  private PemFile required(WebConfigSection tls, String key) {
    return pem(tls, key).orElseThrow(() -> tls.invalid(key, "must be given"));
  }

  private Optional<PemFile> pem(WebConfigSection tls, String key) {
    try {
      return text(tls, key)
          .map(file -> new PemFile("tls_server_config." + key, folder.resolve(file)));
    } catch (InvalidPathException _) {
      throw tls.invalid(key, "must be a path");
    }
  }

  private ClientAuthentication clientAuthentication(WebConfigSection tls) {
    String name = text(tls, "client_auth_type").orElse("NoClientCert");
    return ClientAuthentication.named(name)
        .orElseThrow(
            () ->
                tls.invalid(
                    "client_auth_type",
                    "must be one of "
                        + String.join(", ", ClientAuthentication.names())
                        + ", was "
                        + name));
  }

  /** TLS 1.2 and 1.3 within the bounds; the JVM speaks no older version. */
  private List<String> protocols(WebConfigSection tls) {
    int oldest = version(tls, "min_version", "TLS12");
    int newest = version(tls, "max_version", "TLS13");
    if (newest < VERSIONS.indexOf("TLS12")) {
      throw tls.invalid("max_version", "must be TLS12 or TLS13, the versions that the JVM speaks");
    }
    if (oldest > newest) {
      throw tls.invalid("min_version", "must not be newer than max_version");
    }
    return VERSIONS.subList(Math.max(oldest, VERSIONS.indexOf("TLS12")), newest + 1).stream()
        .map(version -> version.replace("TLS1", "TLSv1."))
        .toList();
  }

  private int version(WebConfigSection tls, String key, String otherwise) {
    String name = text(tls, key).orElse(otherwise);
    if (!VERSIONS.contains(name)) {
      throw tls.invalid(key, "must be one of " + String.join(", ", VERSIONS) + ", was " + name);
    }
    return VERSIONS.indexOf(name);
  }

  private Map<String, String> headers(WebConfigSection section) {
    var headers = new LinkedHashMap<String, String>();
    for (String name : section.values().keySet()) {
      String value = text(section, name).orElse("");
      var allowed = HEADERS.get(name);
      if (allowed == null || !allowed.matcher(value).matches()) {
        throw section.invalid(name, "must not be " + value);
      }
      if (!value.isEmpty()) {
        headers.put(name, value);
      }
    }
    return headers;
  }

  private Map<String, String> users(WebConfigSection root) {
    YamlValue value = root.values().get("basic_auth_users");
    if (value == null) {
      return Map.of();
    }
    var section = new WebConfigSection(value, entries(value));
    var users = new LinkedHashMap<String, String>();
    for (String user : section.values().keySet()) {
      String hash = text(section, user).orElse("");
      if (!BCRYPT.matcher(hash).matches()) {
        throw section.invalid(user, "must be a bcrypt hash, as htpasswd -B makes it");
      }
      users.put(user, hash);
    }
    return users;
  }
}

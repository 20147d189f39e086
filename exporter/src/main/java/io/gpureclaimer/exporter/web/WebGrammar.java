package io.gpureclaimer.exporter.web;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.exporter.web.Pem.InFile;
import io.gpureclaimer.exporter.web.Pem.Inline;
import java.io.StringReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** The text of a web configuration file, in the syntax of Prometheus's exporter-toolkit. */
final class WebGrammar {
  static final int LARGEST_BYTES = 256 * 1024;

  private static final Set<String> ROOT =
      Set.of("tls_server_config", "http_server_config", "basic_auth_users", "rate_limit");
  private static final Set<String> RATE = Set.of("interval", "burst");
  private static final Set<String> HTTP = Set.of("http2", "headers");
  private static final Set<String> TLS =
      Set.of(
          "cert",
          "cert_file",
          "key",
          "key_file",
          "client_ca",
          "client_ca_file",
          "client_allowed_sans",
          "client_auth_type",
          "min_version",
          "max_version",
          "cipher_suites",
          "curve_preferences",
          "prefer_server_cipher_suites");

  /** Which headers may be set, and to what. */
  private static final Map<String, Pattern> HEADERS =
      Map.of(
          "Content-Security-Policy", Pattern.compile("[\\x20-\\x7e]*"),
          "X-Frame-Options", Pattern.compile("(?i:deny|sameorigin)?"),
          "X-Content-Type-Options", Pattern.compile("(?i:nosniff)?"),
          "X-XSS-Protection", Pattern.compile("[\\x20-\\x7e]*"),
          "Strict-Transport-Security", Pattern.compile("[\\x20-\\x7e]*"));

  private static final Map<String, String> CURVES =
      new TreeMap<>(
          Map.of(
              "CurveP256", "secp256r1",
              "CurveP384", "secp384r1",
              "CurveP521", "secp521r1",
              "X25519", "x25519"));

  private static final Pattern BCRYPT =
      Pattern.compile("\\$2[abxy]\\$(0[4-9]|[12]\\d|3[01])\\$[./A-Za-z0-9]{53}");

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  private WebGrammar() {}

  /**
   * Understands a file.
   *
   * @param folder what paths in it are relative to
   */
  static WebSettings parse(String text, Path folder) throws Refusal {
    var root = root(text).withOnly(ROOT);
    var http = root.section("http_server_config").withOnly(HTTP);
    return new WebSettings(
        tls(root.section("tls_server_config"), folder),
        http.truth("http2", true),
        headers(http.section("headers")),
        rate(root.section("rate_limit").withOnly(RATE)),
        users(root.section("basic_auth_users")));
  }

  private static Section root(String text) throws Refusal {
    var options = new LoaderOptions();
    options.setCodePointLimit(LARGEST_BYTES);
    try {
      var yaml = new Yaml(new SafeConstructor(options));
      return Section.whole(Optional.ofNullable(yaml.compose(new StringReader(text))));
    } catch (MarkedYAMLException e) {
      var mark = e.getProblemMark();
      String line = mark == null ? "" : "line " + (mark.getLine() + 1) + ": ";
      throw new Refusal(line + "not YAML: " + e.getProblem());
    } catch (YAMLException e) {
      throw new Refusal("not YAML: " + e.getMessage());
    }
  }

  private static Optional<TlsSettings> tls(Section tls, Path folder) throws Refusal {
    tls.withOnly(TLS);
    if (tls.keys().isEmpty()) {
      return Optional.empty();
    }
    var clients = clients(tls);
    var clientCa = pem(tls, "client_ca", folder);
    if (clientCa.isPresent() && clients == ClientAuthentication.NONE) {
      throw tls.bad("client_auth_type", "must ask for certificates when client_ca_file is given");
    }
    var clientNames = tls.texts("client_allowed_sans");
    if (!clientNames.isEmpty() && clients == ClientAuthentication.NONE) {
      throw tls.bad(
          "client_auth_type", "must ask for certificates when client_allowed_sans is given");
    }
    var oldest = version(tls, "min_version", TlsVersion.TLS12);
    var newest = version(tls, "max_version", TlsVersion.TLS13);
    if (oldest.isNewerThan(newest)) {
      throw tls.bad("min_version", "must not be newer than max_version " + newest);
    }
    return Optional.of(
        new TlsSettings(
            required(tls, "cert", folder),
            required(tls, "key", folder),
            clients,
            clientCa,
            clientNames,
            oldest,
            newest,
            cipherSuites(tls),
            curves(tls),
            tls.truth("prefer_server_cipher_suites", true)));
  }

  private static Pem required(Section tls, String key, Path folder) throws Refusal {
    var pem = pem(tls, key, folder);
    if (pem.isEmpty()) {
      throw tls.bad(key + "_file", "must be given");
    }
    return pem.get();
  }

  private static Optional<Pem> pem(Section tls, String key, Path folder) throws Refusal {
    var inline = tls.text(key);
    var file = tls.text(key + "_file");
    if (inline.isPresent() && file.isPresent()) {
      throw tls.bad(key, "must not be given together with " + key + "_file");
    }
    if (inline.isPresent()) {
      return Optional.of(new Inline(tls.named(key), inline.get()));
    }
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new InFile(tls.named(key + "_file"), folder.resolve(file.get())));
    } catch (InvalidPathException _) {
      throw tls.bad(key + "_file", "must be a path");
    }
  }

  private static ClientAuthentication clients(Section tls) throws Refusal {
    String name = tls.text("client_auth_type").orElse("NoClientCert");
    var known = ClientAuthentication.named(name);
    if (known.isEmpty()) {
      throw tls.bad(
          "client_auth_type",
          "must be one of " + String.join(", ", ClientAuthentication.names()) + ", was " + name);
    }
    return known.get();
  }

  private static TlsVersion version(Section tls, String key, TlsVersion otherwise) throws Refusal {
    var name = tls.text(key);
    if (name.isEmpty()) {
      return otherwise;
    }
    var known = TlsVersion.named(name.get());
    if (known.isEmpty()) {
      throw tls.bad(
          key, "must be one of " + String.join(", ", TlsVersion.names()) + ", was " + name.get());
    }
    return known.get();
  }

  private static List<String> cipherSuites(Section tls) throws Refusal {
    var suites = tls.texts("cipher_suites");
    for (String suite : suites) {
      if (!SslContexts.speaks(suite)) {
        throw tls.bad("cipher_suites", "must be suites that this JVM speaks, has " + suite);
      }
    }
    return suites;
  }

  private static List<String> curves(Section tls) throws Refusal {
    var curves = new ArrayList<String>();
    for (String name : tls.texts("curve_preferences")) {
      String curve = CURVES.get(name);
      if (curve == null) {
        throw tls.bad(
            "curve_preferences",
            "must be among " + String.join(", ", CURVES.keySet()) + ", has " + name);
      }
      curves.add(curve);
    }
    return curves;
  }

  private static Map<String, String> headers(Section section) throws Refusal {
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

  /** An interval of zero, the default, is no limit. */
  private static Optional<RateLimit> rate(Section section) throws Refusal {
    String burst = section.text("burst").orElse("0");
    if (!NUMBER.matcher(burst).matches()) {
      throw section.bad("burst", "must be a whole number, was " + burst);
    }
    String text = section.text("interval").orElse("0");
    var interval = Durations.parseGo(text);
    if (interval.isEmpty()) {
      throw section.bad("interval", "must be a duration like 1s or 500ms, was " + text);
    }
    if (interval.get().isZero()) {
      return Optional.empty();
    }
    if (Integer.parseInt(burst) < 1) {
      throw section.bad("burst", "must be at least 1, or no request is ever answered");
    }
    return Optional.of(new RateLimit(interval.get(), Integer.parseInt(burst)));
  }

  private static Map<String, String> users(Section section) throws Refusal {
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

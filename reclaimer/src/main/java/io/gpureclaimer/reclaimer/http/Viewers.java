package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.common.files.ReloadingFile;
import io.gpureclaimer.reclaimer.access.AccessControl;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.config.IdentityConfig;
import io.gpureclaimer.reclaimer.config.ReclaimerWebConfig;
import io.gpureclaimer.reclaimer.config.ReclaimerWebConfig.PageReaders;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who sends a request: by a bearer token of the API server, or by the headers of a proxy
 * that knows the secret. Created at the start, so that a mistake in its properties stops it; after
 * the cluster, whose own properties are checked first.
 */
@Context
@Order(4)
final class Viewers {
  private static final Logger log = LoggerFactory.getLogger(Viewers.class);
  private static final Pattern BEARER = Pattern.compile("Bearer [!-~]+");
  private static final String BASIC = "Basic ";
  private static final String SECRET_HEADER = "X-Proxy-Secret";
  private static final int LONGEST_SECRET = 4_096;
  private static final int SHORTEST_SECRET = 16;

  /** Names of the API server's own users and groups, which no provider may give to a person. */
  private static final String RESERVED = "system:";

  /** Names under which a browser on the same machine asks; another one may be a rebound name. */
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final String NOT_FROM_HERE =
      """
      This reclaimer serves its pages to clients of its own machine alone.

      From your machine: kubectl --namespace NAMESPACE port-forward service/gpu-reclaimer 8080, then http://localhost:8080/ui.
      For people whom the API server knows: web.pages: authorized, in the chart reclaimer.pages.readers.
      For all clients that can reach the port: web.pages: everyone. The pages show the workloads of all namespaces.
      """;

  private final ReclaimerWebConfig web;
  private final IdentityConfig identity;
  private final Optional<AccessControl> access;
  private final Optional<ReloadingFile<String>> secret;

  /** The sender of a request. */
  sealed interface Viewer {

    /** No identity is asked for. May see all namespaces and change nothing. */
    record Anonymous() implements Viewer {}

    /** A person whom the API server knows, or a proxy. */
    record Identified(ApiUser person) implements Viewer {}

    /** May see nothing. */
    record Refused(HttpStatus status, String sentence) implements Viewer {}
  }

  Viewers(ReclaimerWebConfig web, IdentityConfig identity, Optional<AccessControl> access) {
    this.web = web;
    this.identity = identity;
    this.access = access;
    this.secret =
        identity
            .secretFile()
            .map(file -> new ReloadingFile<>(file, LONGEST_SECRET, Viewers::parseSecret));
    if (web.pages() == PageReaders.AUTHORIZED && access.isEmpty()) {
      throw new IllegalArgumentException(
          "web.pages: authorized needs an API server, there is none");
    }
    secret.ifPresent(Viewers::mustBeReadable);
  }

  private static void mustBeReadable(ReloadingFile<String> file) {
    file.refresh();
    file.problem()
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(
                  "web.identity.proxy-secret-file " + file.path() + ": " + problem);
            });
  }

  private static String parseSecret(String text) {
    String secret = text.strip();
    if (secret.length() < SHORTEST_SECRET) {
      throw new IllegalArgumentException(
          "must have at least " + SHORTEST_SECRET + " characters, has " + secret.length());
    }
    return secret;
  }

  /** Who asks for a page. */
  Viewer ofPage(HttpRequest<?> request) {
    return switch (web.pages()) {
      case EVERYONE -> new Viewer.Anonymous();
      case LOCALHOST ->
          isLocal(request.getRemoteAddress()) && isLocalName(request)
              ? new Viewer.Anonymous()
              : new Viewer.Refused(HttpStatus.FORBIDDEN, NOT_FROM_HERE);
      case OFF -> new Viewer.Refused(HttpStatus.FORBIDDEN, "This reclaimer serves no pages.\n");
      case AUTHORIZED -> identified(request);
    };
  }

  /** Who asks for a report. Every client gets it where no identity is asked for. */
  Viewer ofReport(HttpRequest<?> request) {
    return web.pages() == PageReaders.AUTHORIZED ? identified(request) : new Viewer.Anonymous();
  }

  private Viewer identified(HttpRequest<?> request) {
    Optional<String> authorization =
        request.getHeaders().get("Authorization", String.class).filter(text -> !text.isEmpty());
    if (isFromProxy(request, authorization)) {
      return named(request);
    }
    if (authorization.isEmpty() || !BEARER.matcher(authorization.get()).matches()) {
      return new Viewer.Refused(
          HttpStatus.UNAUTHORIZED,
          "Not identified. Sign in, or send a bearer token of the API server.\n");
    }
    return access
        .orElseThrow()
        .authenticate(authorization.get().substring("Bearer ".length()))
        .<Viewer>map(Viewer.Identified::new)
        .orElseGet(
            () ->
                new Viewer.Refused(
                    HttpStatus.UNAUTHORIZED,
                    "The API server does not accept this token. It may have expired: sign in"
                        + " again.\n"));
  }

  private boolean isFromProxy(HttpRequest<?> request, Optional<String> authorization) {
    if (secret.isEmpty() || !identity.isPeer(request.getRemoteAddress())) {
      return false;
    }
    if (secret.get().refresh() instanceof ReloadingFile.Refresh.Rejected<String> rejected) {
      log.warn(
          "secret of the proxy not reloaded, file={}: {}; the last one stays in force",
          secret.get().path(),
          rejected.problem(),
          rejected.cause());
    }
    return secret
        .get()
        .lastGood()
        .filter(
            known ->
                Stream.concat(
                        request.getHeaders().getAll(SECRET_HEADER).stream(),
                        authorization.flatMap(Viewers::password).stream())
                    .anyMatch(sent -> isEqual(known, sent)))
        .isPresent();
  }

  private static Optional<String> password(String authorization) {
    if (!authorization.startsWith(BASIC)) {
      return Optional.empty();
    }
    try {
      String pair =
          new String(
              Base64.getDecoder().decode(authorization.substring(BASIC.length())),
              StandardCharsets.UTF_8);
      int colon = pair.indexOf(':');
      return colon < 0 ? Optional.empty() : Optional.of(pair.substring(colon + 1));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** In a time that does not depend on where they differ. */
  private static boolean isEqual(String known, String sent) {
    return MessageDigest.isEqual(
        known.getBytes(StandardCharsets.UTF_8), sent.getBytes(StandardCharsets.UTF_8));
  }

  private Viewer named(HttpRequest<?> request) {
    List<String> users = request.getHeaders().getAll(identity.userHeader());
    if (users.size() != 1 || users.getFirst().isBlank()) {
      return new Viewer.Refused(
          HttpStatus.UNAUTHORIZED,
          "expected one header "
              + identity.userHeader()
              + " from the proxy, found "
              + users.size()
              + "\n");
    }
    String name = identity.prefixedUser(users.getFirst().strip());
    if (name.startsWith(RESERVED)) {
      return new Viewer.Refused(
          HttpStatus.FORBIDDEN, "Users whose names begin with system: are not for people.\n");
    }
    List<String> groups =
        Stream.concat(
                request.getHeaders().getAll(identity.groupsHeader()).stream()
                    .flatMap(text -> Arrays.stream(text.split(",", -1)))
                    .map(String::strip)
                    .filter(group -> !group.isEmpty())
                    .map(identity::prefixedGroup)
                    .filter(group -> !group.startsWith(RESERVED)),
                Stream.of("system:authenticated"))
            .distinct()
            .toList();
    return new Viewer.Identified(new ApiUser(name, "", groups, Map.of()));
  }

  private static boolean isLocal(InetSocketAddress client) {
    return client.getAddress() != null && client.getAddress().isLoopbackAddress();
  }

  private static boolean isLocalName(HttpRequest<?> request) {
    String host = request.getHeaders().get("Host", String.class).orElse("");
    return LOCAL_NAMES.contains(host.replaceFirst(":\\d+$", ""));
  }
}

package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.gpureclaimer.common.trust.AuthoritiesFile;
import io.gpureclaimer.common.trust.ReloadingTrust;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Finds the API server as kubectl does: the file asked for, else {@code $KUBECONFIG}, else {@code
 * ~/.kube/config}, else the service account of the pod we run in.
 */
public final class KubernetesConnection {
  private static final Path SERVICE_ACCOUNT_TOKEN =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");

  private final Map<String, String> environment;
  private final Path token;

  KubernetesConnection(Map<String, String> environment, Path token) {
    this.environment = environment;
    this.token = token;
  }

  /** Looks into this process's environment. */
  public static KubernetesConnection ofThisProcess() {
    return new KubernetesConnection(System.getenv(), SERVICE_ACCOUNT_TOKEN);
  }

  /**
   * A client that makes every call once and notices dead watches; no call is made yet.
   *
   * @param userAgent name of this program for the API server
   * @param options how it is found and spoken to
   * @param kinds what it can read as a class of its own
   * @throws ClusterNotConfigured if nothing says where the API server is, or the token is none
   */
  public KubernetesClient open(String userAgent, ConnectionOptions options, RegisteredKinds kinds) {
    Config config = config(options);
    mustFitAHeader(config.getOauthToken());
    mustFitAHeader(config.getAutoOAuthToken());
    // A retried eviction would wait for a disruption budget behind our back.
    config.setRequestRetryBackoffLimit(0);
    config.setConnectionTimeout(Math.toIntExact(options.connect().toMillis()));
    config.setRequestTimeout(Math.toIntExact(options.request().toMillis()));
    config.setUserAgent(userAgent);
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new HeartbeatClientFactory(options.heartbeat()))
        .withKubernetesSerialization(kinds.serialization())
        .withHttpClientBuilderConsumer(builder -> followTheAuthorities(builder, config))
        .build();
  }

  /** The client reads the file once; authorities are replaced while we run. */
  private static void followTheAuthorities(HttpClient.Builder builder, Config config) {
    if (config.isTrustCerts() || !isSet(config.getCaCertFile()) || isSet(config.getCaCertData())) {
      return;
    }
    var trust = new ReloadingTrust(new AuthoritiesFile(Path.of(config.getCaCertFile())));
    builder.sslContext(ourCertificate(config), new TrustManager[] {trust});
  }

  private static KeyManager[] ourCertificate(Config config) {
    try {
      return SSLUtils.keyManagers(config);
    } catch (GeneralSecurityException | IOException e) {
      throw new ClusterNotConfigured("the client certificate cannot be used", e);
    }
  }

  private static boolean isSet(@Nullable String text) {
    return text != null && !text.isEmpty();
  }

  /** Where it is sent, the failure would write it to the log. */
  private static void mustFitAHeader(@Nullable String token) {
    if (token != null && !token.chars().allMatch(c -> c > ' ' && c < '\u007f')) {
      throw new ClusterNotConfigured(
          "the token for the API server has white space or another character that no header may"
              + " have; perhaps its file ends with a new line");
    }
  }

  private Config config(ConnectionOptions options) {
    if (options.kubeconfig().isPresent()) {
      Path file = options.kubeconfig().get();
      mustExist(file);
      return named(file.toString(), options.context(), fromFile(file, options.context()));
    }
    Optional<String> kubeconfig = kubeconfig();
    if (kubeconfig.isPresent()) {
      return named(kubeconfig.get(), options.context(), automatic(kubeconfig.get(), options));
    }
    if (options.context().isPresent()) {
      throw new ClusterNotConfigured(
          "context " + options.context().get() + " was asked for, but there is no kubeconfig");
    }
    if (!environment.containsKey("KUBERNETES_SERVICE_HOST") || !Files.isReadable(token)) {
      throw new ClusterNotConfigured(
          "no Kubernetes cluster found: no kubeconfig was named, $KUBECONFIG and ~/.kube/config do"
              + " not exist, and this is not a pod with a service account");
    }
    return Config.autoConfigure(null);
  }

  /** The files that the client will read on its own, if there are any. */
  private Optional<String> kubeconfig() {
    String named = environment.getOrDefault("KUBECONFIG", "");
    if (!named.isEmpty()) {
      boolean any =
          Stream.of(named.split(Pattern.quote(File.pathSeparator), -1))
              .anyMatch(file -> Files.isRegularFile(Path.of(file)));
      if (!any) {
        throw new ClusterNotConfigured("$KUBECONFIG names no existing file: " + named);
      }
      return Optional.of(named);
    }
    Path usual = Path.of(environment.getOrDefault("HOME", "/"), ".kube", "config");
    return Optional.of(usual).filter(Files::isRegularFile).map(Path::toString);
  }

  private static Config fromFile(Path file, Optional<String> context) {
    try {
      return Config.fromKubeconfig(context.orElse(null), file.toFile());
    } catch (KubernetesClientException | IllegalArgumentException e) {
      throw new ClusterNotConfigured(file + " is not a kubeconfig", e);
    }
  }

  private static Config automatic(String files, ConnectionOptions options) {
    try {
      return Config.autoConfigure(options.context().orElse(null));
    } catch (KubernetesClientException | IllegalArgumentException e) {
      throw new ClusterNotConfigured(files + " is not a kubeconfig", e);
    }
  }

  private static void mustExist(Path file) {
    if (!Files.isReadable(file)) {
      throw new ClusterNotConfigured("kubeconfig " + file + " does not exist or is not readable");
    }
  }

  /** The client falls back to another context when the one asked for is missing; we do not. */
  private static Config named(String source, Optional<String> wanted, Config config) {
    Optional<String> found =
        Optional.ofNullable(config.getCurrentContext()).map(NamedContext::getName);
    String known =
        config.getContexts().stream()
            .map(NamedContext::getName)
            .sorted()
            .collect(Collectors.joining(", ", "[", "]"));
    if (wanted.isPresent() && !wanted.equals(found)) {
      throw new ClusterNotConfigured(
          "context " + wanted.get() + " is not in " + source + ", which has " + known);
    }
    if (found.isEmpty()) {
      throw new ClusterNotConfigured(source + " has no current context; name one of " + known);
    }
    if (config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)) {
      throw new ClusterNotConfigured(
          "context " + found.get() + " of " + source + " names no server");
    }
    return config;
  }
}
